package dev.uplift.fleet.rollout.decision;

import static dev.uplift.fleet.rollout.TargetResult.DECLINED;
import static dev.uplift.fleet.rollout.TargetResult.NO_ACTION;
import static dev.uplift.fleet.rollout.TargetResult.ROLLED_BACK;
import static dev.uplift.fleet.rollout.TargetResult.UPGRADED;
import static dev.uplift.fleet.rollout.decision.SnapshotScenario.at;
import static dev.uplift.fleet.rollout.decision.SnapshotScenario.wave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Decisions of a rollout of three waves at noon, ten devices in parallel.
final class WavePolicyTest {
  private static final Gate APPROVAL = new Gate.Approval();
  private static final Gate ONE_O_CLOCK = new Gate.Time(at("13:00"));
  private static final Gate ELEVEN = new Gate.Time(at("11:00"));
  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final WaveCounts EARLIER_DONE = new WaveCounts(0, 0, 0, 0, Map.of(UPGRADED, 11));
  private static final WaveCounts EARLIER_IN_WORK = new WaveCounts(0, 3, 0, 0, Map.of(UPGRADED, 8));
  private static final WaveCounts EARLIER_PENDING = new WaveCounts(3, 0, 0, 0, Map.of(UPGRADED, 8));

  static final List<Case> STARTS =
      List.of(
          new Case(
              "starts up to the limit", wave(2).pending(50), "start 10: 50 devices pending, 0 in progress, at most 10"),
          new Case(
              "starts nothing in a stopped tenant",
              wave(2).pending(50).inProgress(7).stopped("acme was stopped by ann"),
              "wait stopped: acme was stopped by ann"),
          new Case(
              "lets what runs end in a stopped tenant",
              wave(2).inProgress(7).stopped("acme was stopped by ann"),
              "wait upgrades-running: 7 devices are in progress"),
          new Case(
              "tops up",
              wave(2).pending(40).inProgress(7).ended(UPGRADED, 3),
              "start 3: 40 devices pending, 7 in progress, at most 10"),
          new Case(
              "starts no more than there are",
              wave(2).pending(2).ended(UPGRADED, 8),
              "start 2: 2 devices pending, 0 in progress, at most 10"),
          new Case(
              "waits at the limit",
              wave(2).pending(40).inProgress(10),
              "wait max-parallel: 10 devices are in progress, at most 10"),
          new Case(
              "counts those of earlier waves too",
              wave(2).pending(40).inProgress(6).earlier(EARLIER_IN_WORK),
              "start 1: 40 devices pending, 9 in progress, at most 10"),
          new Case(
              "starts those of earlier waves too",
              wave(2).inProgress(1).earlier(EARLIER_PENDING),
              "start 3: 3 devices pending, 1 in progress, at most 10"),
          new Case(
              "lets others prepare ahead",
              wave(2).pending(40).inProgress(10).limits(10, 20, Optional.empty()),
              "start 0 and 20 ahead: 40 devices pending, 10 in progress, at most 10"),
          new Case(
              "continues prepared devices within the limit",
              wave(2).preparing(5).limits(10, 5, Optional.empty()),
              "start 5: 0 devices pending, 5 prepared, 0 in progress, at most 10"),
          new Case(
              "starts no more than its rate",
              wave(2).pending(40).limits(10, 0, Optional.of(4)).recentStarts(1, "11:59"),
              "start 10, 3 together: 40 devices pending, 0 in progress, at most 10"),
          new Case(
              "waits for its rate",
              wave(2).pending(40).limits(10, 0, Optional.of(4)).recentStarts(4, "11:59"),
              "wait rate-limit until 12:00: 4 devices started in the last minute, as many as allowed"),
          new Case(
              "continues prepared devices, whatever the rate",
              wave(2).pending(40).preparing(5).limits(10, 5, Optional.of(4)).recentStarts(4, "11:59"),
              "start 10, 0 together: 40 devices pending, 5 prepared, 0 in progress, at most 10"),
          new Case(
              "waits for the last ones",
              wave(2).inProgress(1).ended(UPGRADED, 9),
              "wait upgrades-running: 1 device is in progress"));

  static final List<Case> GATES =
      List.of(
          new Case(
              "needs approval",
              wave(2).pending(9).gate(APPROVAL),
              "wait approval: wave 2 of 3 waits for approval by another person than its authors"),
          new Case(
              "is approved",
              wave(2).pending(9).gate(APPROVAL).controlled(s -> s.approved("bob: looks good")),
              "start 9: 9 devices pending, 0 in progress, at most 10"),
          new Case(
              "next wave now does not replace approval",
              wave(2).pending(9).gate(APPROVAL).controlled(s -> s.nextWave("ann", false)),
              "wait approval: wave 2 of 3 waits for approval by another person than its authors"),
          new Case(
              "its time has not come",
              wave(2).pending(9).gate(ONE_O_CLOCK),
              "wait gate-time until 13:00: wave 2 of 3 begins at 2026-11-21T13:00:00Z"),
          new Case(
              "its time has come",
              wave(2).pending(9).gate(ELEVEN),
              "start 9: 9 devices pending, 0 in progress, at most 10"),
          new Case(
              "next wave now does not wait for its time",
              wave(2).pending(9).gate(ONE_O_CLOCK).controlled(s -> s.nextWave("ann", false)),
              "start 9: 9 devices pending, 0 in progress, at most 10"),
          new Case(
              "next wave now was requested, whatever its time",
              wave(2).pending(9).gate(ONE_O_CLOCK).controlled(s -> s.nextWave("ann", true).atNextWave()),
              "start 9: 9 devices pending, 0 in progress, at most 10"),
          new Case(
              "an approval is for one wave",
              wave(2).pending(9).gate(APPROVAL).controlled(s -> s.approved("bob").atNextWave()),
              "wait approval: wave 2 of 3 waits for approval by another person than its authors"),
          new Case(
              "a wave without devices needs no approval",
              wave(2).gate(APPROVAL).later(5),
              "next-wave: wave 2 of 3 is done: 0 of 0 devices run the release"),
          new Case(
              "an approval that became void closes the gate again",
              wave(2).pending(9).inProgress(1).gate(APPROVAL).controlled(s -> s.approved("bob").unapproved()),
              "wait approval: wave 2 of 3 waits for approval by another person than its authors"),
          new Case(
              "a passed gate does not close again",
              wave(2).pending(9).inProgress(1).gate(ONE_O_CLOCK),
              "start 9: 9 devices pending, 1 in progress, at most 10"));

  static final List<Case> ENDS =
      List.of(
          new Case(
              "continues",
              wave(1).ended(UPGRADED, 9).ended(NO_ACTION, 1).later(90),
              "next-wave: wave 1 of 3 is done: 10 of 10 devices run the release"),
          new Case(
              "continues without excluded devices",
              wave(1).ended(UPGRADED, 8).ended(DECLINED, 1).skipped(1).later(90),
              "next-wave: wave 1 of 3 is done: 8 of 10 devices run the release"),
          new Case(
              "continues although earlier ones are pending",
              wave(2).ended(UPGRADED, 10).earlier(EARLIER_PENDING).later(90),
              "next-wave: wave 2 of 3 is done: 10 of 10 devices run the release"),
          new Case(
              "soaks",
              wave(1).ended(UPGRADED, 10).soak(AN_HOUR).lastEnded("11:30").later(90),
              "wait soak until 12:30: wave 1 of 3 soaks: watched 0 s of 1 h"),
          new Case(
              "soaks longer if not all of it was watched",
              wave(1)
                  .ended(UPGRADED, 10)
                  .soak(AN_HOUR)
                  .lastEnded("10:30")
                  .watched(Duration.ofMinutes(20), "11:50", "y0")
                  .later(90),
              "wait soak until 12:30: wave 1 of 3 soaks: watched 20 min of 1 h; not heard: y0"),
          new Case(
              "a soak that was not watched does not end by the clock",
              wave(1).ended(UPGRADED, 10).soak(AN_HOUR).lastEnded("09:00").later(90),
              "wait soak: wave 1 of 3 soaks: watched 0 s of 1 h"),
          new Case(
              "a soak that was watched in part does not end by the clock",
              wave(1)
                  .ended(UPGRADED, 10)
                  .soak(AN_HOUR)
                  .lastEnded("09:00")
                  .watched(Duration.ofSeconds(12), "10:00", "y0")
                  .later(90),
              "wait soak: wave 1 of 3 soaks: watched 12 s of 1 h; not heard: y0"),
          new Case(
              "a soak of which an operator skips the rest is over",
              wave(1)
                  .ended(UPGRADED, 10)
                  .soak(AN_HOUR)
                  .lastEnded("09:00")
                  .controlled(s -> s.remainingSkipped("ann: known"))
                  .later(90),
              "next-wave: ann: known"),
          new Case(
              "starts earlier ones while it soaks",
              wave(2).ended(UPGRADED, 10).soak(AN_HOUR).lastEnded("11:30").earlier(EARLIER_PENDING),
              "start 3: 3 devices pending, 0 in progress, at most 10"),
          new Case(
              "has soaked, to the instant",
              wave(1).ended(UPGRADED, 10).soak(AN_HOUR).lastEnded("10:59").watched(AN_HOUR, "12:00", "").later(90),
              "next-wave: wave 1 of 3 is done: 10 of 10 devices run the release"),
          new Case(
              "its last device ended during the check",
              wave(1).ended(UPGRADED, 10).lastEnded("12:01").later(90),
              "next-wave: wave 1 of 3 is done: 10 of 10 devices run the release"),
          new Case(
              "the last wave soaks too",
              wave(3).ended(UPGRADED, 10).soak(AN_HOUR).lastEnded("11:30").earlier(EARLIER_DONE),
              "wait soak until 12:30: wave 3 of 3 soaks: watched 0 s of 1 h"),
          new Case(
              "is complete",
              wave(3).ended(UPGRADED, 10).earlier(EARLIER_DONE),
              "finish upgraded: 21 of 21 devices run the release"),
          new Case(
              "is done, not complete",
              wave(3).ended(UPGRADED, 39).ended(ROLLED_BACK, 1).earlier(EARLIER_DONE),
              "finish partial: 50 of 51 devices run the release"),
          new Case(
              "waits for earlier ones at its end",
              wave(3).ended(UPGRADED, 10).earlier(EARLIER_IN_WORK),
              "wait upgrades-running: 3 devices are in progress"));

  @ParameterizedTest
  @FieldSource({"STARTS", "GATES", "ENDS"})
  void decides(Case one) {
    assertThat(one.scene.decision()).isEqualTo(one.decision);
  }

  @Test
  void checksAgainAtTheEarliestTime() {
    SnapshotScenario snapshotScenario = wave(1).soak(AN_HOUR).lastEnded("11:30").gate(ONE_O_CLOCK).deadline("12:45");

    assertThat(snapshotScenario.snapshot().recheckAt()).contains(at("12:30"));
    assertThat(snapshotScenario.soak(Duration.ZERO).snapshot().recheckAt()).contains(at("12:45"));
    assertThat(wave(1).gate(ELEVEN).snapshot().recheckAt()).isEmpty();
  }

  @Test
  void aWaveMayHaveItsOwnLimit() {
    RolloutPlan plan = RolloutPlan.defaults(new Release("os", "1.5.0"), "true");
    WaveSpec wave = WaveSpec.of(new WaveSize.Rest());

    assertThat(WaveRules.of(plan, wave, 1, 1).limits().maxParallel()).isEqualTo(100);
    assertThat(WaveRules.of(plan, wave.withMaxParallel(5), 1, 1).limits().maxParallel()).isEqualTo(5);
  }

  @Test
  void describesItsInputs() {
    SnapshotScenario snapshotScenario =
        wave(2).pending(40).inProgress(7).ended(UPGRADED, 2).earlier(EARLIER_DONE).later(9);

    assertThat(snapshotScenario.snapshot().describe())
        .isEqualTo(
            "wave 2 of 3: 40 pending, 7 in progress, 0 preparing, 0 skipped, ended: 2 upgraded;"
                + " earlier waves: 0 pending, 0 in progress, 0 preparing, 0 skipped, ended: 11"
                + " upgraded; later: 9 pending; results: 2 upgraded; 0 started in the last minute");
  }

  record Case(String what, SnapshotScenario scene, String decision) {
    @Override
    public String toString() {
      return what;
    }
  }
}
