package dev.uplift.api.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RecentCheckTest {
  private final AtomicLong now = new AtomicLong(42);
  private final AtomicInteger asked = new AtomicInteger();
  private final RecentCheck check = new RecentCheck(() -> asked.incrementAndGet() % 2 == 1, now::get);

  @Test
  void probesWithinASecondShareOneAnswer() {
    assertThat(check.getAsBoolean()).isTrue();
    now.addAndGet(Duration.ofMillis(999).toNanos());
    assertThat(check.getAsBoolean()).isTrue();

    assertThat(asked).hasValue(1);
  }

  @Test
  void aLaterProbeAsksAgain() {
    assertThat(check.getAsBoolean()).isTrue();
    now.addAndGet(Duration.ofSeconds(1).toNanos());

    assertThat(check.getAsBoolean()).isFalse();
  }
}
