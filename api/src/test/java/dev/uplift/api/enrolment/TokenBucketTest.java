package dev.uplift.api.enrolment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Sixty per minute, so one per second.
final class TokenBucketTest {
  private static final Instant START = Instant.parse("2026-03-29T01:30:00Z");

  /// @param taken costs at the start, one after the other
  /// @param seconds that pass afterwards
  record Case(String what, List<Integer> taken, long seconds, double left, long untilEnough) {
    @Override
    public String toString() {
      return what;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("nothing consumed", List.of(), 0, 60, 0),
          new Case("never above the capacity", List.of(), 3600, 60, 0),
          new Case("one consumed", List.of(1), 0, 59, 0),
          new Case("refilled after a second", List.of(1), 1, 60, 0),
          new Case("one remains", List.of(59), 0, 1, 0),
          new Case("all consumed", List.of(60), 0, 0, 1),
          new Case("the next one after a second", List.of(60), 1, 1, 0),
          new Case("rejections cost more than available", List.of(50, 20), 0, -10, 11),
          new Case("the debt is refilled with time", List.of(50, 20), 11, 1, 0),
          new Case("the debt is bounded by one minute", List.of(60, 60, 60), 0, -60, 61),
          new Case("a clock that goes back refills nothing", List.of(60), -60, 0, 1));

  @ParameterizedTest
  @FieldSource("CASES")
  void availableIsTheRefillLessTheCosts(Case one) {
    TokenBucket tokenBucket = TokenBucket.full(60, START);
    for (int cost : one.taken()) {
      tokenBucket = tokenBucket.consume(cost);
    }
    tokenBucket = tokenBucket.asOf(START.plusSeconds(one.seconds()));

    assertThat(tokenBucket.available()).isEqualTo(one.left());
    assertThat(tokenBucket.canConsume()).isEqualTo(one.untilEnough() == 0);
    assertThat(tokenBucket.timeUntilAvailable()).isEqualTo(Duration.ofSeconds(one.untilEnough()));
  }
}
