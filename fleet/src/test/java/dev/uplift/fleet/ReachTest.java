package dev.uplift.fleet;

import static dev.uplift.fleet.Progress.ROLLED_BACK;
import static dev.uplift.fleet.Progress.STRANDED;
import static dev.uplift.fleet.Progress.TOUCHED;
import static dev.uplift.fleet.Progress.UNTOUCHED;
import static dev.uplift.fleet.Progress.UPGRADED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class ReachTest {
  static final List<Case> CASES =
      List.of(
          new Case(Reach.NONE, List.of()),
          new Case(Reach.HOST, List.of(TOUCHED)),
          new Case(Reach.DEVICE, List.of(TOUCHED, UPGRADED)));

  @ParameterizedTest
  @FieldSource("CASES")
  void covers(Case one) {
    assertThat(Arrays.stream(Progress.values()).filter(one.reach::covers))
        .containsExactlyElementsOf(one.covered)
        .doesNotContain(UNTOUCHED, ROLLED_BACK, STRANDED);
  }

  record Case(Reach reach, List<Progress> covered) {}
}
