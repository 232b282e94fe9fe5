package dev.uplift.api.events;

import io.micronaut.http.sse.Event;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/// Who is told of events, for as long as they stay; and how many they can take.
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
      // As the contract of reactive streams has it: who asks for nothing gets nothing.
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

  /// How many events they can take now. Only the thread that tells makes it less.
  long demand() {
    return demand.get();
  }

  /// No more of them than they can take.
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
