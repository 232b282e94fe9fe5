package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Reason.Kind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class ReasonTest {
  static final List<Case> CASES =
      List.of(
          new Case(ErrorClass.FINAL, "bad-image", Kind.ERROR),
          new Case(ErrorClass.RETRYABLE, "link-down", Kind.ERROR),
          new Case(ErrorClass.NEEDS_PERSON, "disk-full", Kind.ERROR),
          new Case(ErrorClass.DECLINED, "busy", Kind.DECLINED),
          // Told too late: nobody's fault, whatever class the agent gives it.
          new Case(ErrorClass.FINAL, "expired", Kind.DEADLINE),
          new Case(ErrorClass.DECLINED, "expired", Kind.DEADLINE));

  @ParameterizedTest
  @FieldSource("CASES")
  void saysWhoOrWhatStoppedIt(Case one) {
    assertThat(Reason.error(one.errorClass, one.code, "").kind()).isEqualTo(one.kind);
  }

  record Case(ErrorClass errorClass, String code, Kind kind) {}
}
