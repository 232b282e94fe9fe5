package dev.uplift.api.events;

import io.micronaut.http.sse.Event;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/// The subscription of one listener, with its demand.
final class SseSubscription implements Subscription {
  private final Subscriber<? super Event<String>> subscriber;
  private final AtomicLong demand = new AtomicLong();
  private volatile boolean closed;

  SseSubscription(Subscriber<? super Event<String>> subscriber) {
    this.subscriber = subscriber;
  }

  @Override
  public void request(long more) {
    if (more > 0) {
      demand.updateAndGet(now -> now + more < 0 ? Long.MAX_VALUE : now + more);
    } else {
      // As the contract of Reactive Streams has it: a demand below 1 ends the subscription.
      closed = true;
    }
  }

  @Override
  public void cancel() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /// Returns how many events may be sent now. Only the sending thread reduces it.
  long demand() {
    return demand.get();
  }

  /// Sends an event; the caller has checked the demand.
  void send(Event<String> event) {
    demand.decrementAndGet();
    subscriber.onNext(event);
  }

  void complete() {
    if (!closed) {
      closed = true;
      subscriber.onComplete();
    }
  }

  void fail(Throwable why) {
    if (!closed) {
      closed = true;
      subscriber.onError(why);
    }
  }
}
