package dev.uplift.api.events;

import dev.uplift.api.request.RequestContext;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.sse.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells a listener what is new until there is nothing more to come, until they leave, or until their token expires or
/// is revoked: then they come back with a new one, and with what they saw last. A comment now and then shows both sides
/// that the other is there.
public final class SseStream {
  private static final Logger LOG = LoggerFactory.getLogger(SseStream.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  /// Each has a connection and a few objects.
  private static final SubscriptionLimits LIMITS = new SubscriptionLimits(2000, 500, 50);

  private final SseEventSource source;
  private final SseSubscription subscription;
  private final long keepAlive;
  private final Deque<Event<String>> pending = new ArrayDeque<>();
  private long lastSentAt;

  private SseStream(SseEventSource source, SseSubscription subscription, long keepAlive) {
    this.source = source;
    this.subscription = subscription;
    this.keepAlive = keepAlive;
    // The response starts with its first line: a comment, if there is no event yet.
    this.lastSentAt = System.nanoTime() - keepAlive - 1;
  }

  /// Returns the response to a listener: 204, which ends reconnecting, if it has seen all events.
  ///
  /// @param opens opens the source of events; the caller has checked that its subject exists
  public static HttpResponse<?> respond(RequestContext requestContext, Supplier<SseEventSource> opens) {
    if (LastEventId.of(requestContext).filter(LastEventId::isEnd).isPresent()) {
      return HttpResponse.noContent();
    }
    return respondWithoutEnd(requestContext, opens);
  }

  /// As [#respond], for events that go on for ever: a listener that has seen all of them waits for the next.
  public static HttpResponse<?> respondWithoutEnd(RequestContext requestContext, Supplier<SseEventSource> opens) {
    LIMITS.requirePlace(requestContext);
    Supplier<SseEventSource> counted = LIMITS.counting(requestContext, opens);
    return HttpResponse.ok(events(counted, requestContext.caller().tokenIsValid(), KEEP_ALIVE))
        .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        // Else nginx keeps events back until it has a few KiB of them.
        .header("X-Accel-Buffering", "no");
  }

  static Publisher<Event<String>> events(
      Supplier<SseEventSource> opens, BooleanSupplier isPermitted, Duration keepAlive) {
    return subscriber -> {
      var subscription = new SseSubscription(subscriber);
      subscriber.onSubscribe(subscription);
      Thread.ofVirtual().name("events").start(() -> sendAll(opens, subscription, isPermitted, keepAlive.toNanos()));
    };
  }

  private static void sendAll(
      Supplier<SseEventSource> opens, SseSubscription subscription, BooleanSupplier isPermitted, long keepAlive) {
    try (SseEventSource source = opens.get()) {
      new SseStream(source, subscription, keepAlive).sendWhile(isPermitted);
      subscription.complete();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      subscription.complete();
    } catch (RuntimeException e) {
      LOG.warn("events break off: {}", e.toString());
      subscription.fail(e);
    }
  }

  private void sendWhile(BooleanSupplier isPermitted) throws InterruptedException {
    while (!subscription.isClosed() && isPermitted.getAsBoolean()) {
      sendNew();
      if (pending.isEmpty() && source.isFinished()) {
        return;
      }
      Thread.sleep(POLL_INTERVAL);
    }
  }

  /// One who does not read is not told more, and looked at nothing for.
  private void sendNew() {
    if (pending.isEmpty() && subscription.demand() > 0) {
      pending.addAll(source.poll());
      if (pending.isEmpty() && System.nanoTime() - lastSentAt > keepAlive) {
        pending.add(Event.of("").comment("keep-alive"));
      }
    }
    while (!pending.isEmpty() && subscription.demand() > 0) {
      subscription.send(pending.remove());
      lastSentAt = System.nanoTime();
    }
  }
}
