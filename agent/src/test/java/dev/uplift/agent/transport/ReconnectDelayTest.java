package dev.uplift.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReconnectDelayTest {
  private static final int SAMPLES = 1000;

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "2, 4", "3, 8", "4, 16", "5, 30", "6, 30", "1000, 30", "9000000000, 30"})
  void thePausesGrowToHalfAMinute(long tries, long seconds) {
    assertSpreadByHalf(new ReconnectDelay(() -> false), tries, seconds);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "2, 4", "3, 8", "4, 8", "1000, 8"})
  void whoIsAwaitedLooksMoreOften(long tries, long seconds) {
    assertSpreadByHalf(new ReconnectDelay(() -> true), tries, seconds);
  }

  @Test
  void whoIsAwaitedNoLongerPausesAsOthersDo() {
    boolean[] awaited = {true};
    var reconnectDelay = new ReconnectDelay(() -> awaited[0]);
    assertSpreadByHalf(reconnectDelay, 10, 8);

    awaited[0] = false;

    assertSpreadByHalf(reconnectDelay, 10, 30);
  }

  private static void assertSpreadByHalf(ReconnectDelay reconnectDelay, long tries, long seconds) {
    LongFunction<Duration> pause = _ -> reconnectDelay.delay(tries);
    assertThat(LongStream.range(0, SAMPLES).mapToObj(pause))
        .allSatisfy(
            each -> assertThat(each).isBetween(Duration.ofMillis(seconds * 500), Duration.ofMillis(seconds * 1500)))
        .anyMatch(each -> each.compareTo(Duration.ofMillis(seconds * 750)) < 0)
        .anyMatch(each -> each.compareTo(Duration.ofMillis(seconds * 1250)) > 0);
  }
}
