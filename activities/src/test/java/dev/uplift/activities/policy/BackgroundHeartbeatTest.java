package dev.uplift.activities.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class BackgroundHeartbeatTest {
  private static final Duration INTERVAL = Duration.ofMillis(5);

  @Test
  void heartbeatsAreSentUntilTheWorkIsDone() {
    var three = new CountDownLatch(3);

    assertThat(BackgroundHeartbeat.during(INTERVAL, three::countDown, () -> isReached(three))).isTrue();
  }

  @Test
  void aHeartbeatThatHearsOfACancellationIsTheLastAndTheWorkIsDoneAllTheSame() {
    var first = new CountDownLatch(1);
    var heartbeats = new AtomicInteger();

    boolean done =
        BackgroundHeartbeat.during(
            INTERVAL,
            () -> {
              heartbeats.incrementAndGet();
              first.countDown();
              throw new IllegalStateException("cancelled");
            },
            () -> isReached(first));

    assertThat(done).isTrue();
    assertThat(heartbeats).hasValue(1);
  }

  private static boolean isReached(CountDownLatch latch) {
    try {
      return latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
