package dev.uplift.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class SharedPollerTest {
  private final AtomicInteger looked = new AtomicInteger();
  private final SharedPoller<String, Integer> looks = new SharedPoller<>(_ -> _ -> looked.incrementAndGet());

  @Test
  void pollsOnceASecondWhateverTheNumberOfSubscribers() {
    long began = System.nanoTime();
    var listeners = IntStream.range(0, 100).mapToObj(_ -> looks.open("north")).toList();
    for (int i = 0; i < 50; i++) {
      listeners.parallelStream().forEach(SharedPoller.PollHandle::get);
    }
    long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();

    assertThat(looked.get()).isBetween(1, (int) seconds + 1);
  }

  @Test
  void pollsAgainAfterASecond() {
    try (var north = looks.open("north")) {
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> north.get() == 3);
    }
  }

  @Test
  void pollsEachKeySeparately() {
    try (var north = looks.open("north");
        var south = looks.open("south")) {
      assertThat(north.get()).isEqualTo(1);
      assertThat(south.get()).isEqualTo(2);
    }
  }

  @Test
  void forgetsKeysWithoutSubscribers() {
    var seen = new AtomicReference<Optional<Integer>>(Optional.empty());
    var remembers =
        new SharedPoller<String, Integer>(_ ->
            before -> {
              seen.set(before);
              return 1;
            });
    var one = remembers.open("north");
    var two = remembers.open("north");
    int _ = one.get();
    one.close();
    one.close();
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> two.get() == 1 && seen.get().isPresent());
    two.close();

    try (var three = remembers.open("north")) {
      assertThat(three.get()).isEqualTo(1);
      assertThat(seen.get()).isEmpty();
    }
  }
}
