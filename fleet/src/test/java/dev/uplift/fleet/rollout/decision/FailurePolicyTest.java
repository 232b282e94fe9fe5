package dev.uplift.fleet.rollout.decision;

import static dev.uplift.fleet.rollout.TargetResult.ABORTED;
import static dev.uplift.fleet.rollout.TargetResult.DECLINED;
import static dev.uplift.fleet.rollout.TargetResult.EXPIRED;
import static dev.uplift.fleet.rollout.TargetResult.NO_ACTION;
import static dev.uplift.fleet.rollout.TargetResult.PREPARE_FAILED;
import static dev.uplift.fleet.rollout.TargetResult.ROLLED_BACK;
import static dev.uplift.fleet.rollout.TargetResult.STRANDED;
import static dev.uplift.fleet.rollout.TargetResult.UNHEALTHY;
import static dev.uplift.fleet.rollout.TargetResult.UPGRADED;
import static dev.uplift.fleet.rollout.decision.SnapshotScenario.wave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.rollout.plan.ThresholdAction;
import dev.uplift.fleet.rollout.plan.Thresholds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// When a rollout stops by itself, and the reason that it gives.
final class FailurePolicyTest {
  private static final Duration SILENCE = Duration.ofMinutes(5);

  /// 5 % of at least 100; nothing else stops it.
  private static final Thresholds SHARE =
      new Thresholds(
          0, 0, Optional.empty(), Optional.of(5), 100, Optional.empty(), Map.of(), SILENCE, ThresholdAction.PAUSE);

  private static final Thresholds THREE_IN_A_ROW =
      new Thresholds(
          0, 0, Optional.empty(), Optional.empty(), 1, Optional.of(3), Map.of(), SILENCE, ThresholdAction.PAUSE);

  private static final Thresholds BY_KIND =
      new Thresholds(
          0,
          0,
          Optional.empty(),
          Optional.empty(),
          1,
          Optional.empty(),
          Map.of(DECLINED, 3, UNHEALTHY, 2),
          SILENCE,
          ThresholdAction.PAUSE);

  private static final Thresholds ALL_OF_THEM =
      new Thresholds(
          100, 0, Optional.empty(), Optional.empty(), 1, Optional.empty(), Map.of(), SILENCE, ThresholdAction.ABORT);

  private static final Thresholds TWO_OR_BACK =
      new Thresholds(
          0,
          0,
          Optional.of(2),
          Optional.empty(),
          1,
          Optional.empty(),
          Map.of(),
          SILENCE,
          ThresholdAction.ROLL_BACK_WAVE);

  private static final Thresholds FIVE =
      new Thresholds(
          0, 5, Optional.empty(), Optional.empty(), 1, Optional.empty(), Map.of(), SILENCE, ThresholdAction.ABORT);

  private static final String HELP =
      " retry-failed tries them again, resume continues without them, abort ends the rollout";

  private static final String STARTS = "start 10: 90 devices pending, 0 in progress, at most 10";

  static final List<Case> USUAL =
      List.of(
          new Case("one failure is tolerated", going(2).ended(ROLLED_BACK, 1), STARTS),
          new Case(
              "two are not",
              going(2).ended(ROLLED_BACK, 1).ended(PREPARE_FAILED, 1),
              "pause: 2 devices failed (1 prepare-failed, 1 rolled-back); it stops at 2"),
          new Case("one of nine is too small a sample", going(2).ended(UPGRADED, 8).ended(ROLLED_BACK, 1), STARTS),
          new Case(
              "one of ten is not",
              going(2).ended(UPGRADED, 9).ended(ROLLED_BACK, 1),
              "pause: 1 of 10 devices failed (10 %: 1 rolled-back); it stops at 5 % of at least" + " 10"),
          new Case(
              "one of twenty is exactly too much",
              going(2).ended(UPGRADED, 19).ended(ROLLED_BACK, 1),
              "pause: 1 of 20 devices failed (5 %: 1 rolled-back); it stops at 5 % of at least" + " 10"),
          new Case("one of twenty-one is not", going(2).ended(UPGRADED, 20).ended(ROLLED_BACK, 1), STARTS),
          new Case(
              "any stranded one stops it",
              going(2).ended(UPGRADED, 50).ended(STRANDED, 1),
              "pause: 1 device is stranded; it stops at 1"),
          new Case(
              "inconclusive results are not counted",
              going(2).ended(DECLINED, 30).ended(EXPIRED, 9).ended(ABORTED, 9),
              STARTS),
          new Case(
              "failures before a resume are not counted",
              going(2).endedBeforeResume(ROLLED_BACK, 7).endedBeforeResume(STRANDED, 1).ended(UPGRADED, 3),
              STARTS),
          new Case(
              "later ones are counted again",
              going(2).endedBeforeResume(ROLLED_BACK, 7).ended(ROLLED_BACK, 2),
              "pause: 2 devices failed (2 rolled-back); it stops at 2"));

  static final List<Case> OTHERS =
      List.of(
          new Case("four of 99", going(2).thresholds(SHARE).ended(UPGRADED, 95).ended(UNHEALTHY, 4)),
          new Case("two in a row", three().ended(ROLLED_BACK, 2)),
          new Case(
              "three in a row",
              three().ended(UPGRADED, 9).ended(ROLLED_BACK, 3),
              "pause: the last 3 devices failed; it stops at 3 in a row"),
          new Case("one success between", three().ended(ROLLED_BACK, 2).ended(UPGRADED, 1)),
          new Case("long ago", three().ended(ROLLED_BACK, 3).ended(NO_ACTION, 1)),
          new Case(
              "an inconclusive result is no success",
              three().ended(ROLLED_BACK, 2).ended(DECLINED, 1).ended(ROLLED_BACK, 1),
              "pause: the last 3 devices failed; it stops at 3 in a row"),
          new Case(
              "five of a hundred",
              going(2).thresholds(SHARE).ended(UPGRADED, 95).ended(UNHEALTHY, 5),
              "pause: 5 of 100 devices failed (5 %: 5 unhealthy); it stops at 5 % of at least" + " 100"),
          new Case("two declined", going(2).thresholds(BY_KIND).ended(DECLINED, 2)),
          new Case(
              "three declined",
              going(2).thresholds(BY_KIND).ended(DECLINED, 3),
              "pause: 3 devices are declined; it stops at 3"),
          new Case(
              "two unhealthy ones",
              going(2).thresholds(BY_KIND).ended(UPGRADED, 90).ended(UNHEALTHY, 2),
              "pause: 2 devices are unhealthy; it stops at 2"),
          new Case(
              "the wave goes back",
              going(2).thresholds(TWO_OR_BACK).ended(UPGRADED, 90).ended(ROLLED_BACK, 2),
              "roll-back-wave: 2 devices failed (2 rolled-back); it stops at 2"));

  /// Decisions at the end of a wave.
  static final List<Case> AT_THE_END =
      List.of(
          new Case(
              "the canary failed",
              over(wave(1).ended(ROLLED_BACK, 1)),
              "pause: wave 1 of 3 is over and 0 of 1 device succeeded (0 %); to continue it takes" + " 95 %"),
          new Case(
              "the canary declined",
              over(wave(1).ended(DECLINED, 1)),
              "pause: wave 1 of 3 is over and 0 of 1 device run the release (1 declined); the next wave takes 1:"
                  + HELP),
          new Case(
              "the canaries declined, expired or were left out",
              over(wave(1).ended(DECLINED, 1).ended(EXPIRED, 2).skipped(1)),
              "pause: wave 1 of 3 is over and 0 of 4 devices run the release (1 declined, 2 expired, 1 skipped);"
                  + " the next wave takes 1:"
                  + HELP),
          new Case(
              "all canaries were left out",
              over(wave(1).skipped(2)),
              "pause: wave 1 of 3 is over and 0 of 2 devices run the release (2 skipped); the next wave takes 1:"
                  + HELP),
          new Case(
              "one canary of several is proof enough",
              over(wave(1).ended(UPGRADED, 1).ended(EXPIRED, 9)),
              "next-wave: wave 1 of 3 is done: 1 of 10 devices run the release"),
          new Case(
              "not if it takes five",
              over(wave(1).thresholds(FIVE).ended(UPGRADED, 4).ended(EXPIRED, 9)),
              "pause: wave 1 of 3 is over and 4 of 13 devices run the release (9 expired); the next wave takes 5:"
                  + HELP),
          new Case(
              "a small wave has to succeed as a whole if it takes more than it has",
              over(wave(1).thresholds(FIVE).ended(UPGRADED, 3)),
              "next-wave: wave 1 of 3 is done: 3 of 3 devices run the release"),
          new Case(
              "a wave without devices proves nothing and needs not",
              over(wave(1)),
              "next-wave: wave 1 of 3 is done: 0 of 0 devices run the release"),
          new Case(
              "after the last wave nothing begins",
              wave(3).ended(DECLINED, 1),
              "finish partial: 0 of 1 device run the release"),
          new Case(
              "resumed after the canary declined",
              over(wave(1).ended(DECLINED, 1).controlled(s -> s.resumed("bob", true))),
              "next-wave: wave 1 of 3 is done: 0 of 1 device run the release"),
          new Case(
              "resumed before the canary declined",
              over(wave(1).ended(DECLINED, 1).controlled(s -> s.resumed("bob", false))),
              "pause: wave 1 of 3 is over and 0 of 1 device run the release (1 declined); the next wave takes 1:"
                  + HELP),
          new Case(
              "tried again after a resume, and declined again",
              over(wave(1).ended(DECLINED, 1).controlled(s -> s.resumed("bob", true).retried())),
              "pause: wave 1 of 3 is over and 0 of 1 device run the release (1 declined); the next wave takes 1:"
                  + HELP),
          new Case(
              "one of many failed",
              over(wave(2).ended(UPGRADED, 99).ended(ROLLED_BACK, 1)),
              "next-wave: wave 2 of 3 is done: 99 of 100 devices run the release"),
          new Case(
              "every device has to succeed",
              over(wave(2).thresholds(ALL_OF_THEM).ended(UPGRADED, 999).ended(ROLLED_BACK, 1)),
              "abort: wave 2 of 3 is over and 999 of 1000 devices succeeded (99.9 %); to continue it" + " takes 100 %"),
          new Case(
              "and did",
              over(wave(2).thresholds(ALL_OF_THEM).ended(UPGRADED, 1000)),
              "next-wave: wave 2 of 3 is done: 1000 of 1000 devices run the release"),
          new Case(
              "resumed after the canary failed",
              over(wave(1).endedBeforeResume(ROLLED_BACK, 1).controlled(s -> s.resumed("bob", true))),
              "next-wave: wave 1 of 3 is done: 0 of 1 device run the release"),
          new Case(
              "marked done by an operator",
              over(wave(1).ended(ROLLED_BACK, 1).controlled(s -> s.remainingSkipped("ann: known"))),
              "next-wave: ann: known"));

  @ParameterizedTest
  @FieldSource({"USUAL", "OTHERS", "AT_THE_END"})
  void stopsARollout(Case one) {
    assertThat(one.scene.decision()).isEqualTo(one.decision);
  }

  private static SnapshotScenario three() {
    return going(2).thresholds(THREE_IN_A_ROW);
  }

  /// Returns a wave without pending devices.
  private static SnapshotScenario over(SnapshotScenario snapshotScenario) {
    return snapshotScenario.pending(0).later(50);
  }

  /// Returns a wave with many pending devices.
  private static SnapshotScenario going(int wave) {
    return wave(wave).pending(90);
  }

  record Case(String what, SnapshotScenario scene, String decision) {
    /// A case in which nothing stops it.
    Case(String what, SnapshotScenario scene) {
      this(what, scene, STARTS);
    }

    @Override
    public String toString() {
      return what;
    }
  }
}
