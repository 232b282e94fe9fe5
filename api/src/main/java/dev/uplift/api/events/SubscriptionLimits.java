package dev.uplift.api.events;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.RequestContext;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.sse.Event;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Bounds the listeners of this server: in all, so that it keeps its connections; of each tenant and each caller, so
/// that one cannot take the places of all others. Safe for use by several threads.
final class SubscriptionLimits {
  private static final String TOTAL = "";

  private final int mostInAll;
  private final int mostOfTenant;
  private final int mostOfCaller;
  private final Map<String, Integer> counts = new HashMap<>();

  SubscriptionLimits(int mostInAll, int mostOfTenant, int mostOfCaller) {
    this.mostInAll = mostInAll;
    this.mostOfTenant = mostOfTenant;
    this.mostOfCaller = mostOfCaller;
  }

  /// Refuses a listener that has no place: 503 if the server is full, 429 if the tenant or the caller has enough.
  synchronized void requirePlace(RequestContext requestContext) {
    if (count(TOTAL) >= mostInAll) {
      throw refusal(HttpStatus.SERVICE_UNAVAILABLE, "this server", mostInAll);
    }
    if (count(tenant(requestContext)) >= mostOfTenant) {
      throw refusal(HttpStatus.TOO_MANY_REQUESTS, "this server in " + requestContext.tenant(), mostOfTenant);
    }
    if (count(caller(requestContext)) >= mostOfCaller) {
      throw refusal(
          HttpStatus.TOO_MANY_REQUESTS, "this server with tokens of " + requestContext.caller().name(), mostOfCaller);
    }
  }

  private static ProblemException refusal(HttpStatus status, String where, int most) {
    return ProblemException.of(
            status, "%d listen to %s already; close some of them, or ask for what you need".formatted(most, where))
        .withHeader("Retry-After", "60");
  }

  /// Returns a source that takes a place when it is opened, and gives it back when it is closed.
  Supplier<SseEventSource> counting(RequestContext requestContext, Supplier<SseEventSource> opens) {
    return () -> {
      take(requestContext);
      try {
        return new CountedSource(requestContext, opens.get());
      } catch (RuntimeException e) {
        giveBack(requestContext);
        throw e;
      }
    };
  }

  private synchronized void take(RequestContext requestContext) {
    requirePlace(requestContext);
    for (String key : keys(requestContext)) {
      counts.merge(key, 1, Integer::sum);
    }
  }

  private synchronized void giveBack(RequestContext requestContext) {
    for (String key : keys(requestContext)) {
      counts.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  private int count(String key) {
    return counts.getOrDefault(key, 0);
  }

  private static List<String> keys(RequestContext requestContext) {
    return List.of(TOTAL, tenant(requestContext), caller(requestContext));
  }

  private static String tenant(RequestContext requestContext) {
    return "tenant " + requestContext.tenant();
  }

  private static String caller(RequestContext requestContext) {
    return "caller " + requestContext.caller().tenant() + " " + requestContext.caller().name();
  }

  private final class CountedSource implements SseEventSource {
    private final RequestContext requestContext;
    private final SseEventSource source;

    private CountedSource(RequestContext requestContext, SseEventSource source) {
      this.requestContext = requestContext;
      this.source = source;
    }

    @Override
    public List<Event<String>> poll() {
      return source.poll();
    }

    @Override
    public boolean isFinished() {
      return source.isFinished();
    }

    /// Called once.
    @Override
    public void close() {
      try {
        source.close();
      } finally {
        giveBack(requestContext);
      }
    }
  }
}
