package dev.uplift.api.events;

import io.micronaut.http.sse.Event;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/// Who is told of events, for as long as they stay; and how many they can take.
final class Listener implements Subscription {
  private final Subscriber<? super Event<String>> subscriber;
  private final AtomicLong takes = new AtomicLong();
  private volatile boolean gone;

  Listener(Subscriber<? super Event<String>> subscriber) {
    this.subscriber = subscriber;
  }

  @Override
  public void request(long more) {
    if (more > 0) {
      takes.updateAndGet(now -> now + more < 0 ? Long.MAX_VALUE : now + more);
    } else {
      // As the contract of reactive streams has it: who asks for nothing gets nothing.
      gone = true;
    }
  }

  @Override
  public void cancel() {
    gone = true;
  }

  boolean isGone() {
    return gone;
  }

  /// How many events they can take now. Only the thread that tells makes it less.
  long takes() {
    return takes.get();
  }

  /// No more of them than they can take.
  void tell(Event<String> event) {
    takes.decrementAndGet();
    subscriber.onNext(event);
  }

  void end() {
    if (!gone) {
      gone = true;
      subscriber.onComplete();
    }
  }

  void breakOff(Throwable why) {
    if (!gone) {
      gone = true;
      subscriber.onError(why);
    }
  }
}
