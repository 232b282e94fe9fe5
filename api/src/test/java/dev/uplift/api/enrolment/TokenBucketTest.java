package dev.uplift.api.enrolment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Sixty a minute: one a second.
final class TokenBucketTest {
  private static final Instant START = Instant.parse("2026-03-29T01:30:00Z");

  /// @param taken at the start, one after the other
  /// @param seconds that pass then
  record Case(String what, List<Integer> taken, long seconds, double left, long untilEnough) {
    @Override
    public String toString() {
      return what;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("nobody has asked", List.of(), 0, 60, 0),
          new Case("it grows no further", List.of(), 3600, 60, 0),
          new Case("one is taken", List.of(1), 0, 59, 0),
          new Case("it is there again after a second", List.of(1), 1, 60, 0),
          new Case("the last one", List.of(59), 0, 1, 0),
          new Case("all are taken", List.of(60), 0, 0, 1),
          new Case("the next one", List.of(60), 1, 1, 0),
          new Case("wrong ones cost more than there is", List.of(50, 20), 0, -10, 11),
          new Case("and are paid with time", List.of(50, 20), 11, 1, 0),
          new Case("nobody waits for more than two minutes", List.of(60, 60, 60), 0, -60, 61),
          new Case("a clock that goes back gives nothing", List.of(60), -60, 0, 1));

  @ParameterizedTest
  @FieldSource("CASES")
  void isWhatTimeHasBroughtLessWhatWasTaken(Case one) {
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
