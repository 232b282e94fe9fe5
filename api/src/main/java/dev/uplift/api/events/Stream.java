package dev.uplift.api.events;

import dev.uplift.api.call.Call;
import dev.uplift.api.problem.Refusal;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.sse.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells a listener what is new until there is nothing more to come, until they leave, or until
/// their token ends: then they come back with a new one, and with what they saw last. A comment now
/// and then shows both sides that the other is there.
public final class Stream {
  private static final Logger LOG = LoggerFactory.getLogger(Stream.class);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  /// Each has a connection and a few objects.
  private static final int MOST_LISTENERS = 2000;

  private static final AtomicInteger LISTENERS = new AtomicInteger();

  private final Teller teller;
  private final Listener listener;
  private final long keepAlive;
  private final Deque<Event<String>> untold = new ArrayDeque<>();
  private long toldAt;

  private Stream(Teller teller, Listener listener, long keepAlive) {
    this.teller = teller;
    this.listener = listener;
    this.keepAlive = keepAlive;
    // Where there is nothing to tell yet a comment is, for the answer begins with its first line.
    this.toldAt = System.nanoTime() - keepAlive - 1;
  }

  /// The answer to a listener. One who has seen everything is told not to come again.
  ///
  /// @param opens how to tell what there is; what there is not is for the caller to refuse
  public static HttpResponse<?> of(Call call, Supplier<Teller> opens) {
    if (LastEvent.of(call).filter(LastEvent::isEnd).isPresent()) {
      return HttpResponse.noContent();
    }
    if (LISTENERS.get() >= MOST_LISTENERS) {
      throw Refusal.of(
              HttpStatus.SERVICE_UNAVAILABLE,
              "%d listen to this server already; ask for what you need instead"
                  .formatted(MOST_LISTENERS))
          .with("Retry-After", "60");
    }
    return HttpResponse.ok(events(opens, call.caller().until(), KEEP_ALIVE))
        .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        // Else nginx keeps events back until it has a few KiB of them.
        .header("X-Accel-Buffering", "no");
  }

  static Publisher<Event<String>> events(
      Supplier<Teller> opens, Instant until, Duration keepAlive) {
    return subscriber -> {
      var listener = new Listener(subscriber);
      subscriber.onSubscribe(listener);
      Thread.ofVirtual()
          .name("events")
          .start(() -> tell(opens, listener, until, keepAlive.toNanos()));
    };
  }

  private static void tell(
      Supplier<Teller> opens, Listener listener, Instant until, long keepAlive) {
    LISTENERS.incrementAndGet();
    try (Teller teller = opens.get()) {
      new Stream(teller, listener, keepAlive).tellUntil(until);
      listener.end();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      listener.end();
    } catch (RuntimeException e) {
      LOG.warn("events break off: {}", e.toString());
      listener.breakOff(e);
    } finally {
      LISTENERS.decrementAndGet();
    }
  }

  private void tellUntil(Instant until) throws InterruptedException {
    while (!listener.isGone() && Instant.now().isBefore(until)) {
      tellNews();
      if (untold.isEmpty() && teller.isOver()) {
        return;
      }
      Thread.sleep(LOOK);
    }
  }

  /// One who does not read is not told more, and looked at nothing for.
  private void tellNews() {
    if (untold.isEmpty() && listener.takes() > 0) {
      untold.addAll(teller.next());
      if (untold.isEmpty() && System.nanoTime() - toldAt > keepAlive) {
        untold.add(Event.of("").comment("still there"));
      }
    }
    while (!untold.isEmpty() && listener.takes() > 0) {
      listener.tell(untold.remove());
      toldAt = System.nanoTime();
    }
  }
}
