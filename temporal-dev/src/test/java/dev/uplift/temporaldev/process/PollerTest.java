package dev.uplift.temporaldev.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.temporaldev.process.Poller.PollResult;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Each value is read a second after the one before.
class PollerTest {
  private long now;

  @Test
  void readsUntilAValueFulfilsTheCondition() {
    assertThat(poller(5, 1, 2, 3, 4).poll(value -> value == 3)).isEqualTo(new PollResult<>(3, true));
  }

  @Test
  void endsWithTheValueReadLastWhenTheTimeoutHasPassed() {
    assertThat(poller(3, 1, 2, 3, 4, 5).poll(_ -> false)).isEqualTo(new PollResult<>(4, false));
  }

  @Test
  void readsOnceEvenWithoutTime() {
    assertThat(poller(0, 1, 2).poll(value -> value == 1).isFulfilled()).isTrue();
  }

  @Test
  void startsTheTimeoutAgainWithEachProgress() {
    assertThat(poller(2, 1, 2, 2, 3, 3, 1, 4).withProgress(Integer::intValue).poll(_ -> false))
        .isEqualTo(new PollResult<>(1, false));
  }

  @Test
  void saysTheLastValueInTheExceptionOfATimeout() {
    assertThatThrownBy(
            () -> poller(0, 7).poll(_ -> false).orElseThrow(last -> new StackException("only %d run".formatted(last))))
        .isInstanceOf(StackException.class)
        .hasMessage("only 7 run");
    assertThat(poller(0, 7).poll(_ -> true).orElseThrow(_ -> new StackException("none"))).isEqualTo(7);
  }

  private Poller<Integer> poller(long timeoutSeconds, Integer... values) {
    Iterator<Integer> source = List.of(values).iterator();
    return new Poller<>(
        () -> {
          now += Duration.ofSeconds(1).toNanos();
          return source.next();
        },
        Duration.ZERO,
        Duration.ofSeconds(timeoutSeconds),
        _ -> 0,
        () -> now);
  }
}
