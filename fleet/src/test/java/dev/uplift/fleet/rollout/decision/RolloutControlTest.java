package dev.uplift.fleet.rollout.decision;

import static dev.uplift.fleet.rollout.TargetResult.ROLLED_BACK;
import static dev.uplift.fleet.rollout.TargetResult.UPGRADED;
import static dev.uplift.fleet.rollout.decision.SnapshotScenario.wave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.rollout.RolloutControl;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Decisions of a rollout of three waves at noon, after operators' actions and near its deadline.
final class RolloutControlTest {
  private static final Duration AN_HOUR = Duration.ofHours(1);

  static final List<Case> STEERED =
      List.of(
          new Case(
              "paused",
              wave(2).pending(40).controlled(s -> s.paused("ann: lunch")),
              "wait paused: paused by ann: lunch"),
          new Case(
              "resumed",
              wave(2).pending(40).controlled(s -> s.paused("ann").resumed("bob", false)),
              "start 10: 40 devices pending, 0 in progress, at most 10"),
          new Case(
              "paused, it does not evaluate failures",
              wave(2).pending(40).ended(ROLLED_BACK, 5).controlled(s -> s.paused("ann: lunch")),
              "wait paused: paused by ann: lunch"),
          new Case(
              "aborted with some in progress",
              wave(2).pending(40).inProgress(3).controlled(s -> s.aborted("ann: wrong one", false)),
              "wait aborting: ann: wrong one; 3 devices are still in progress"),
          new Case(
              "aborted",
              wave(2).pending(40).controlled(s -> s.aborted("ann: wrong one", true)),
              "finish aborted: ann: wrong one"),
          new Case(
              "aborted while paused",
              wave(2).pending(40).controlled(s -> s.paused("bob").aborted("ann", false)),
              "finish aborted: ann"),
          new Case(
              "next wave now",
              wave(2).pending(5).inProgress(3).later(9).controlled(s -> s.nextWave("ann: hurry", true)),
              "next-wave: ann: hurry"),
          new Case(
              "next wave now, whatever the soak",
              wave(1).ended(UPGRADED, 1).soak(AN_HOUR).lastEnded("11:30").controlled(s -> s.nextWave("ann", true)),
              "next-wave: ann"),
          new Case(
              "but not past failures",
              wave(2).pending(5).ended(ROLLED_BACK, 2).controlled(s -> s.nextWave("ann", true)),
              "pause: 2 devices failed (2 rolled-back); it stops at 2"),
          new Case(
              "marked done",
              wave(2).inProgress(3).skipped(5).controlled(s -> s.remainingSkipped("ann: enough")),
              "next-wave: ann: enough"),
          new Case(
              "the last one marked done",
              wave(3).inProgress(3).skipped(5).controlled(s -> s.remainingSkipped("ann: enough")),
              "wait upgrades-running: 3 devices are in progress"),
          new Case(
              "the last one marked done need not soak",
              wave(3)
                  .ended(UPGRADED, 3)
                  .skipped(5)
                  .soak(AN_HOUR)
                  .lastEnded("11:30")
                  .controlled(s -> s.remainingSkipped("ann")),
              "finish partial: 3 of 8 devices run the release"),
          new Case(
              "a wave is rolled back",
              wave(2).pending(5).reverting(4).controlled(s -> s.rollingBack(2, "ann: broken")),
              "wait rolling-back: rolling wave 2 back: 4 devices are still to be reverted"),
          new Case(
              "a wave is rolled back after running upgrades have ended",
              wave(2).pending(5).inProgress(2).controlled(s -> s.rollingBack(2, "ann: broken")),
              "wait rolling-back: rolling wave 2 back: 2 devices are still in progress"),
          new Case(
              "a wave has been rolled back",
              wave(2).pending(5).controlled(s -> s.rollingBack(2, "ann: broken")),
              "wait paused: paused by ann: broken"),
          new Case(
              "aborted while a wave is rolled back",
              wave(2).reverting(4).controlled(s -> s.rollingBack(2, "ann").aborted("ann: all of it", false)),
              "wait aborting: ann: all of it; 4 devices are still in progress"));

  static final List<Case> DEADLINE =
      List.of(
          new Case(
              "still time",
              wave(2).pending(5).deadline("12:01"),
              "start 5: 5 devices pending, 0 in progress, at most 10"),
          new Case(
              "too late",
              wave(2).pending(5).later(9).deadline("12:00"),
              "finish expired: the deadline has passed and 14 devices are not begun"),
          new Case(
              "too late for all but those in progress",
              wave(2).pending(5).inProgress(1).deadline("12:00"),
              "wait upgrades-running: the deadline has passed and 5 devices are not begun;"
                  + " 1 device is still in progress"),
          new Case(
              "a pause does not stop it",
              wave(2).pending(1).deadline("12:00").controlled(s -> s.paused("ann")),
              "finish expired: the deadline has passed and 1 device is not begun"),
          new Case(
              "the rollback of a wave comes first",
              wave(2).pending(5).reverting(4).deadline("12:00").controlled(s -> s.rollingBack(2, "ann")),
              "wait rolling-back: rolling wave 2 back: 4 devices are still to be reverted"),
          new Case(
              "all were started in time",
              wave(3).ended(UPGRADED, 5).deadline("11:00"),
              "finish upgraded: 5 of 5 devices run the release"));

  @ParameterizedTest
  @FieldSource({"STEERED", "DEADLINE"})
  void controlDecides(Case one) {
    assertThat(one.scene.decision()).isEqualTo(one.decision);
  }

  @Test
  void firstAbortIsKeptAndAHardOneStaysHard() {
    RolloutControl control = RolloutControl.NONE.aborted("ann", true).aborted("bob", false);

    assertThat(control.abortedBy()).contains("ann");
    assertThat(control.abortRunning()).isTrue();
  }

  record Case(String what, SnapshotScenario scene, String decision) {
    @Override
    public String toString() {
      return what;
    }
  }

  @Test
  void pauseAndStopPreventStartsAndStopPreventsRollbacks() {
    assertThat(RolloutControl.NONE.mayStart()).isTrue();
    assertThat(RolloutControl.NONE.paused("ann").mayStart()).isFalse();
    assertThat(RolloutControl.NONE.aborted("ann", false).mayStart()).isFalse();
    assertThat(RolloutControl.NONE.mayRevert()).isFalse();
    RolloutControl back = RolloutControl.NONE.rollingBack(1, "ann");
    assertThat(back.mayRevert()).isTrue();
    assertThat(back.aborted("ann", false).mayRevert()).isFalse();
  }
}
