package dev.uplift.services.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ConcurrentStartsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @Test
  void requestsAndRolloutsTogetherStartNoMoreThanPermittedAtOnceAndAll() {
    var starts = new ConcurrentStarts(3);
    var threeRun = new CountDownLatch(3);

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 25; i++) {
        threads.execute(() -> starts.run(() -> start(threeRun)));
        threads.execute(() -> assertThat(starts.tryRun(LONG, () -> start(threeRun))).isPresent());
      }
    }

    assertThat(started).hasValue(50);
    assertThat(most).hasValue(3);
  }

  @Test
  void startWhoseTurnDoesNotComeInTimeIsNotRun() {
    var starts = new ConcurrentStarts(1);

    starts.run(() -> assertThat(starts.tryRun(Duration.ofMillis(1), started::incrementAndGet)).isEmpty());

    assertThat(started).hasValue(0);
  }

  @Test
  void startThatFailsMakesRoomForTheNext() {
    var starts = new ConcurrentStarts(1);

    assertThatIllegalStateException().isThrownBy(() -> starts.run(ConcurrentStartsTest::fail));
    assertThatIllegalStateException()
        .isThrownBy(() ->
            starts.tryRun(
                LONG,
                () -> {
                  fail();
                  return "";
                }));

    assertThat(starts.tryRun(LONG, () -> "started")).contains("started");
  }

  private static void fail() {
    throw new IllegalStateException("no");
  }

  private int start(CountDownLatch threeRun) {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    threeRun.countDown();
    try {
      assertThat(threeRun.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    running.decrementAndGet();
    return started.incrementAndGet();
  }
}
