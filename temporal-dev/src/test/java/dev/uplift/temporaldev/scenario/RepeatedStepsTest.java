package dev.uplift.temporaldev.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.upgrade.UpgradeResponse.Step;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RepeatedStepsTest {
  @Test
  void aStepThatTwoCommandsWereSentForIsAProblemThatNamesBothAnswers() {
    assertThat(problems(step("prepare", "error", "no-space: 3 MB are missing"), step("prepare", "done", "")))
        .containsExactly("u1: expected one command to prepare h1, found 2: error no-space: 3 MB are missing, done");
  }

  @Test
  void aCommandThatTheHostBeganNothingForIsNoRepetition() {
    assertThat(problems(step("upgrade", "error", "clock-unknown: it may be too late"), step("upgrade", "done", "")))
        .isEmpty();
  }

  @Test
  void twoCommandsBesideOneThatTheHostBeganNothingForAreAProblem() {
    assertThat(
            problems(
                step("upgrade", "error", "clock-unknown: it may be too late"),
                step("upgrade", "done", ""),
                step("upgrade", "done", "")))
        .containsExactly(
            "u1: expected one command to upgrade h1, found 3: error clock-unknown: it may be too late, done, done");
  }

  @Test
  void aCommandAfterOneThatWasBegunIsAProblemAlsoIfTheHostBeganNothingForIt() {
    assertThat(problems(step("upgrade", "done", ""), step("upgrade", "error", "clock-unknown: it may be too late")))
        .hasSize(1);
  }

  @Test
  void aQuestionMayBeRepeated() {
    assertThat(problems(step("inspect", "done", ""), step("inspect", "done", ""))).isEmpty();
  }

  private static List<String> problems(Step... steps) {
    return RepeatedSteps.problems("u1", List.of(steps));
  }

  private static Step step(String step, String result, String text) {
    return new Step("c", "h1", step, result, text, "", Optional.empty(), Optional.empty());
  }
}
