package dev.uplift.fleet;

import static dev.uplift.fleet.ErrorClass.DECLINED;
import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.fleet.ErrorClass.RETRYABLE;
import static dev.uplift.fleet.RetryDecision.ASK_PERSON;
import static dev.uplift.fleet.RetryDecision.GIVE_UP;
import static dev.uplift.fleet.RetryDecision.RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class RetryDecisionTest {
  static final List<Case> CASES =
      List.of(
          new Case("the connection broke", RETRYABLE, 1, RETRY),
          new Case("for the third time", RETRYABLE, 3, RETRY),
          new Case("and once more", RETRYABLE, 4, GIVE_UP),
          new Case("the disk is full", NEEDS_PERSON, 1, ASK_PERSON),
          new Case("still full", NEEDS_PERSON, 9, ASK_PERSON),
          new Case("the till is open", DECLINED, 1, GIVE_UP),
          new Case("a broken image", FINAL, 1, GIVE_UP));

  @ParameterizedTest
  @FieldSource("CASES")
  void followsFromTheErrorClass(Case one) {
    assertThat(RetryDecision.of(one.error, one.tries)).isEqualTo(one.remedy);
  }

  record Case(String what, ErrorClass error, int tries, RetryDecision remedy) {
    @Override
    public String toString() {
      return what;
    }
  }
}
