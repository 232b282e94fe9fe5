package dev.uplift.fleet;

import static dev.uplift.fleet.Progress.CHANGED;
import static dev.uplift.fleet.Progress.ROLLED_BACK;
import static dev.uplift.fleet.Progress.STRANDED;
import static dev.uplift.fleet.Progress.UNCHANGED;
import static dev.uplift.fleet.Progress.UPGRADED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class RollbackScopeTest {
  static final List<Case> CASES =
      List.of(
          new Case(RollbackScope.NONE, List.of()),
          new Case(RollbackScope.HOST, List.of(CHANGED)),
          new Case(RollbackScope.DEVICE, List.of(CHANGED, UPGRADED)));

  @ParameterizedTest
  @FieldSource("CASES")
  void covers(Case one) {
    assertThat(Arrays.stream(Progress.values()).filter(one.reach::covers))
        .containsExactlyElementsOf(one.covered)
        .doesNotContain(UNCHANGED, ROLLED_BACK, STRANDED);
  }

  record Case(RollbackScope reach, List<Progress> covered) {}
}
