package dev.uplift.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.sse.Event;
import java.time.Duration;
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

final class SseStreamTest {
  private static final Duration SOON = Duration.ofMillis(300);

  @Test
  void anIdleStreamSendsCommentsToKeepAlive() {
    var countingEventSource = new CountingEventSource(0);
    var listener = new RecordingSubscriber(Long.MAX_VALUE);
    SseStream.events(() -> countingEventSource, () -> true, SOON).subscribe(listener);

    await()
        .until(() ->
            listener.heard.stream().filter(event -> event.getComment() != null && event.getData().isEmpty()).count()
                >= 2);

    listener.subscription().cancel();
    await().untilTrue(countingEventSource.closed);
  }

  @Test
  void aSlowReaderIsSentNothingMore() {
    var countingEventSource = new CountingEventSource(5);
    var listener = new RecordingSubscriber(2);
    SseStream.events(() -> countingEventSource, () -> true, Duration.ofHours(1)).subscribe(listener);
    await().until(() -> listener.heard.size() == 2);
    assertThat(countingEventSource.asked).hasValue(2);

    listener.subscription().request(3);

    await().untilTrue(listener.ended);
    assertThat(listener.heard).extracting(Event::getData).containsExactly("1", "2", "3", "4", "5");
    assertThat(countingEventSource.closed).isTrue();
  }

  @Test
  void endsWhenTheTokenOfTheSubscriberExpiresOrIsRevoked() {
    var listener = new RecordingSubscriber(Long.MAX_VALUE);
    AtomicBoolean isValid = new AtomicBoolean(true);
    SseStream.events(() -> new CountingEventSource(Integer.MAX_VALUE), isValid::get, Duration.ofHours(1))
        .subscribe(listener);
    await().until(() -> listener.heard.size() >= 2);
    assertThat(listener.ended).isFalse();

    isValid.set(false);

    await().untilTrue(listener.ended);
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1));
  }

  /// Sends one number at a time up to the last one; none if that is 0.
  private static final class CountingEventSource implements SseEventSource {
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final int last;

    private CountingEventSource(int last) {
      this.last = last;
    }

    @Override
    public List<Event<String>> poll() {
      return last == 0 || isFinished() ? List.of() : List.of(Event.of(Integer.toString(asked.incrementAndGet())));
    }

    @Override
    public boolean isFinished() {
      return last > 0 && asked.get() >= last;
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private static final class RecordingSubscriber implements Subscriber<Event<String>> {
    private final long takes;
    private final List<Event<String>> heard = new CopyOnWriteArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicReference<Optional<Subscription>> subscription = new AtomicReference<>(Optional.empty());

    private RecordingSubscriber(long takes) {
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
