package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What operators do while one agent makes way for another.
final class HandoverSteeringTest extends DeviceUpgradeScenario {
  @BeforeEach
  void agentsHandOver() {
    fleet.host("left").handsOver().goesOnTrial();
  }

  @ParameterizedTest
  @EnumSource(names = {"UPGRADE", "STOP", "COMMIT"})
  void abortAwaitsTheAnswerToTheCommandInWork(Step step) {
    var interrupted = new AtomicReference<@Nullable String>();
    fleet.during(
        step + " left",
        () -> {
          interrupted.set(running().abort(ANN));
          fleet.await("cancel left");
        });

    Ending ending = upgrade("left");

    assertThat(interrupted.get()).isEqualTo(step + " left");
    assertThat(fleet.log()).containsSubsequence(step + " left", "cancel left", "inspect left");
    assertWentBack(ending);
  }

  @ParameterizedTest
  @EnumSource(names = {"AWAIT_STANDBY", "AWAIT_HEARTBEAT"})
  void abortBreaksOffWhatNobodyAnswers(Step step) {
    fleet.during(
        step + " left",
        () -> {
          running().abort(ANN);
          fleet.await("inspect left");
        });

    Ending ending = upgrade("left");

    assertThat(fleet.log()).containsSubsequence(step + " left", "inspect left");
    assertThat(fleet.log()).doesNotContain("cancel left", "commit left");
    assertWentBack(ending);
  }

  @ParameterizedTest
  @EnumSource(names = {"AWAIT_STANDBY", "STOP", "AWAIT_HEARTBEAT"})
  void pauseHoldsBetweenTheTwoAgents(Step held) {
    fleet.during(before(held) + " left", () -> running().pause(ANN));
    var seen = new AtomicReference<@Nullable Status>();
    after(
        Duration.ofHours(1),
        () -> {
          seen.set(running().status());
          running().resume(ANN);
        });

    Ending ending = upgrade("left");

    assertThat(ending.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(seen.get())
        .extracting(status -> status.waits().getFirst())
        .returns(WaitFor.RESUME, Wait::what)
        .returns(held, Wait::step);
  }

  @Test
  void whoIsPausedBetweenTwoAgentsUntilTheDeadlineGoesBack() {
    time = Duration.ofHours(3);
    fleet.during("await-standby left", () -> running().pause(ANN));

    Ending ending = upgrade("left");

    assertThat(ending.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending.reason().map(Reason::kind)).contains(Reason.Kind.DEADLINE);
    assertThat(fleet.log()).doesNotContain("stop left");
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }

  @Test
  void statusSaysWhichAgentIsAwaited() {
    var seen = new AtomicReference<@Nullable Status>();
    fleet.during("await-standby left", () -> seen.set(running().status()));

    upgrade("left");

    assertThat(seen.get())
        .extracting(status -> status.waits().getFirst())
        .returns(WaitFor.HEARTBEAT, Wait::what)
        .returns(Step.AWAIT_STANDBY, Wait::step)
        .returns("a heartbeat of os 1.5.0 that stands by on left", Wait::sentence);
  }

  private static Step before(Step step) {
    return switch (step) {
      case AWAIT_STANDBY -> Step.UPGRADE;
      case STOP -> Step.AWAIT_STANDBY;
      default -> Step.STOP;
    };
  }

  private void assertWentBack(Ending ending) {
    assertThat(ending.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending.reason().orElseThrow().text()).isEqualTo("ann: wrong site");
    assertThat(fleet.log()).containsSubsequence("inspect left", "rollback left");
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }
}
