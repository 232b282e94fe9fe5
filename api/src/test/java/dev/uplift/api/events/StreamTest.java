package dev.uplift.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.sse.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

final class StreamTest {
  private static final Duration SOON = Duration.ofMillis(300);

  @Test
  void whereNothingHappensACommentShowsThatTheOtherSideIsThere() {
    var counter = new Counter(0);
    var listener = new Recorder(Long.MAX_VALUE);
    Stream.events(() -> counter, Instant.MAX, SOON).subscribe(listener);

    await()
        .until(() ->
            listener.heard.stream()
                    .filter(event -> event.getComment() != null && event.getData().isEmpty())
                    .count()
                >= 2);

    listener.subscription().cancel();
    await().untilTrue(counter.closed);
  }

  @Test
  void whoDoesNotReadIsNotTold() {
    var counter = new Counter(5);
    var listener = new Recorder(2);
    Stream.events(() -> counter, Instant.MAX, Duration.ofHours(1)).subscribe(listener);
    await().until(() -> listener.heard.size() == 2);
    assertThat(counter.asked).hasValue(2);

    listener.subscription().request(3);

    await().untilTrue(listener.ended);
    assertThat(listener.heard).extracting(Event::getData).containsExactly("1", "2", "3", "4", "5");
    assertThat(counter.closed).isTrue();
  }

  @Test
  void endsWithTheTokenOfWhoListens() {
    var listener = new Recorder(Long.MAX_VALUE);
    Stream.events(
            () -> new Counter(Integer.MAX_VALUE), Instant.now().plusSeconds(1), Duration.ofHours(1))
        .subscribe(listener);

    await().untilTrue(listener.ended);
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1));
  }

  /// Tells one number each time, up to the last one; none if that is 0.
  private static final class Counter implements Teller {
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final int last;

    private Counter(int last) {
      this.last = last;
    }

    @Override
    public List<Event<String>> next() {
      return last == 0 || isOver()
          ? List.of()
          : List.of(Event.of(Integer.toString(asked.incrementAndGet())));
    }

    @Override
    public boolean isOver() {
      return last > 0 && asked.get() >= last;
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private static final class Recorder implements Subscriber<Event<String>> {
    private final long takes;
    private final List<Event<String>> heard = new CopyOnWriteArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicReference<Optional<Subscription>> subscription =
        new AtomicReference<>(Optional.empty());

    private Recorder(long takes) {
      this.takes = takes;
    }

    private Subscription subscription() {
      return subscription.get().orElseThrow();
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription.set(Optional.of(given));
      given.request(takes);
    }

    @Override
    public void onNext(Event<String> event) {
      heard.add(event);
    }

    @Override
    public void onError(Throwable why) {
      throw new IllegalStateException(why);
    }

    @Override
    public void onComplete() {
      ended.set(true);
    }
  }
}
