package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Gate;
import dev.uplift.fleet.rollout.Reaction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Thresholds;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.store.RolloutWait;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.rollout.SteerWish;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// A wave of a rollout goes back.
final class RollBackWaveTest extends RolloutScenario {
  @Test
  void secondFailureTakesTheWaveBackAndTheRolloutIsPaused(TestInfo info) {
    String fleet = fleet(info, 8);

    RolloutId id = world.create(rollsBack(inTwoWaves(fleet, 7, 3)));
    List<String> first =
        world.targets(id).stream()
            .filter(target -> target.turn().wave() == 1)
            .sorted(Comparator.comparingLong(target -> target.turn().position()))
            .map(TargetRow::device)
            .toList();
    world.hosts.fail(first.get(2), first.get(5));
    world.start(id);

    world.awaitState(id, RolloutState.PAUSED);
    assertThat(waiting(id)).contains("paused by uplift: 2 devices failed");
    assertThat(in(id, TargetState.ENDED))
        .extracting(TargetRow::device)
        .containsExactlyInAnyOrder(first.get(2), first.get(5));
    int begun = (int) preparing(id);
    assertThat(begun).isGreaterThanOrEqualTo(6);
    assertEachWentBackOnce(id, begun - 2);
    assertThat(in(id, TargetState.PENDING)).hasSize(8 - begun);
    assertThat(decisions(id)).containsSubsequence("roll-back-wave", "rolled-back");
    end(id);
  }

  @Test
  void whereNobodyRunsTheReleaseItIsOnlyPaused(TestInfo info) {
    String fleet = fleet(info, 3);
    world.hosts.fail(names(fleet, 3));

    RolloutId id = world.start(rollsBack(inOneWave(fleet, 1)));

    world.awaitState(id, RolloutState.PAUSED);
    assertThat(wentBack(id)).isEmpty();
    assertThat(decisions(id)).contains("roll-back-wave").doesNotContain("rolled-back");
    end(id);
  }

  @Test
  void noMoreGoBackAtOnceThanMayStartAndAllDo(TestInfo info) {
    RolloutId id = upgraded(info, 5, 2);
    world.hosts.holdUpBack();

    assertThat(world.steer(id, ofWave(1)))
        .isEqualTo(
            new Steered.Done(
                "wave 1 goes back, then the rollout is paused; devices: 5, and in work until then:"
                    + " 0"));
    assertThat(world.steer(id, Steer.RESUME)).isInstanceOf(Steered.Refused.class);

    await().atMost(RolloutWorld.PATIENCE).until(() -> wentBack(id).size() == 2);
    assertThat(world.in(id, TargetState.REVERTING)).isEqualTo(2);
    assertThat(world.in(id, TargetState.TO_REVERT)).isEqualTo(3);
    world.hosts.goOn();

    world.awaitState(id, RolloutState.PAUSED);
    assertEachWentBackOnce(id, 5);

    for (Steer next : List.of(Steer.RETRY_FAILED, Steer.RESUME, Steer.APPROVE)) {
      await()
          .atMost(RolloutWorld.PATIENCE)
          .until(() -> world.steer(id, next) instanceof Steered.Done);
    }
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void hardAbortInTheMiddleLeavesWhatHasNotBegunAndForgetsNobody(TestInfo info) {
    RolloutId id = upgraded(info, 5, 2);
    world.hosts.holdUpBack();
    world.steer(id, ofWave(1));
    await().atMost(RolloutWorld.PATIENCE).until(() -> wentBack(id).size() == 2);

    assertThat(world.steer(id, Steer.ABORT_HARD)).isInstanceOf(Steered.Done.class);
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    // Told to stop in the midst of it, a host may be told once more to come to its end.
    assertThat(new HashSet<>(wentBack(id))).hasSize(2);
    assertThat(wentBack(id)).allMatch(upgrade -> Collections.frequency(wentBack(id), upgrade) <= 2);
    assertWentBack(id, 2);
    assertThat(in(id, TargetState.ENDED))
        .hasSize(3)
        .allMatch(target -> target.verdict().equals(upgraded()))
        .allMatch(target -> target.revertUpgrade().isEmpty());
  }

  @Test
  void serversThatAreKilledTakeNobodyBackTwiceAndForgetNobody(TestInfo info) {
    RolloutId id = upgraded(info, 6, 2);
    world.steerInTables(id, ofWave(1));
    assertThat(world.passOfOneThatIsKilled(id).back().toStart()).hasSize(2);
    world.lookAgain(id);
    for (int kill = 1; kill <= 2; kill++) {
      int enough = 2 * kill;
      await().atMost(RolloutWorld.PATIENCE).until(() -> wentBack(id).size() >= enough);
      world.killAndReplace();
    }

    world.awaitState(id, RolloutState.PAUSED);
    // A host may be asked again by the next worker; what it is asked for has the same id.
    assertThat(new HashSet<>(wentBack(id))).hasSize(6);
    assertThat(in(id, TargetState.REVERTED))
        .hasSize(6)
        .allMatch(target -> target.revertUpgrade().orElseThrow().endsWith(".r1"))
        .allMatch(target -> target.revertOutcome().equals(Optional.of(Outcome.ROLLED_BACK)));
    end(id);
  }

  @Test
  void deviceGoesBackInItsWindowOnly(TestInfo info) {
    RolloutId id = upgraded(info, 2, 2);
    String late = in(id, TargetState.ENDED).getFirst().device();
    String fleet = late.substring(0, late.indexOf('-'));
    world.register(fleet, late, ChangingRolloutTest.opensIn(Duration.ofHours(6)));

    world.steer(id, ofWave(1));

    await().atMost(RolloutWorld.PATIENCE).until(() -> wentBack(id).size() == 1);
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> waiting(id).contains(late + ": its window opens at"));
    assertThat(world.row(id).state()).isEqualTo(RolloutState.ROLLING_BACK);

    world.register(fleet, late, "");
    world.lookAgain(id);
    world.awaitState(id, RolloutState.PAUSED);
    assertThat(world.in(id, TargetState.REVERTED)).isEqualTo(2);
    end(id);
  }

  @Test
  void deviceThatCannotGoBackStaysAndMayBeToldAgain(TestInfo info) {
    RolloutId id = upgraded(info, 3, 3);
    String stays = in(id, TargetState.ENDED).getFirst().device();
    world.hosts.keep(stays);

    world.steer(id, ofWave(1));
    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.REVERTED) == 3);
    world.awaitState(id, RolloutState.PAUSED);

    TargetRow declined = target(id, stays);
    assertThat(declined.revertOutcome()).contains(Outcome.DECLINED);
    assertThat(declined.verdict()).contains(Verdict.UPGRADED);
    assertThat(decisions(id)).contains("rolled-back");

    world.hosts.repair();
    assertThat(world.steer(id, ofWave(1))).isInstanceOf(Steered.Done.class);
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> target(id, stays).verdict().equals(Optional.of(Verdict.ROLLED_BACK)));
    world.awaitState(id, RolloutState.PAUSED);
    assertThat(world.steer(id, ofWave(1)))
        .isEqualTo(new Steered.Refused("no device of wave 1 runs the release"));
    assertThat(world.steer(id, ofWave(7)))
        .isEqualTo(new Steered.Refused("wave 7 has not begun; expected 1 to 2"));
    end(id);
  }

  /// So many devices run the release, all of the first of two waves; the second one waits for
  /// approval.
  private static RolloutId upgraded(TestInfo info, int devices, int parallel) {
    String fleet = fleet(info, devices + 1);
    RolloutPlan plan = RolloutWorld.plan(fleet);
    List<WaveSpec> waves =
        List.of(
            WaveSpec.of(new WaveSize.Count(devices)),
            WaveSpec.of(new WaveSize.Rest()).after(new Gate.Approval()));
    RolloutId id = world.start(with(plan, waves, limits(parallel)));
    world.awaitState(id, RolloutState.WAITING_APPROVAL);
    assertThat(world.in(id, TargetState.ENDED)).isEqualTo(devices);
    return id;
  }

  private static List<TargetRow> in(RolloutId id, TargetState state) {
    return world.targets(id).stream().filter(target -> target.state() == state).toList();
  }

  private static TargetRow target(RolloutId id, String device) {
    return world.tables.queue().find(id, device).orElseThrow();
  }

  private static String waiting(RolloutId id) {
    return world.row(id).waiting().map(RolloutWait::sentence).orElse("");
  }

  /// Ids of what took devices of the rollout back, as often as a host was told.
  private static List<String> wentBack(RolloutId id) {
    return world.hosts.rolledBack().stream()
        .filter(upgrade -> upgrade.startsWith(id.name() + "."))
        .toList();
  }

  private static void assertEachWentBackOnce(RolloutId id, int devices) {
    assertThat(wentBack(id)).hasSize(devices).doesNotHaveDuplicates();
    assertWentBack(id, devices);
  }

  private static void assertWentBack(RolloutId id, int devices) {
    assertThat(in(id, TargetState.REVERTED))
        .hasSize(devices)
        .allMatch(target -> target.verdict().equals(Optional.of(Verdict.ROLLED_BACK)))
        .allMatch(target -> target.verdictNumber().isEmpty())
        .allMatch(target -> target.revertOutcome().equals(Optional.of(Outcome.ROLLED_BACK)));
  }

  private static void end(RolloutId id) {
    assertThat(world.steer(id, Steer.ABORT)).isInstanceOf(Steered.Done.class);
    ended(id);
  }

  private static RolloutPlan rollsBack(RolloutPlan plan) {
    Thresholds usual = Thresholds.USUAL;
    return new RolloutPlan(
        plan.release(),
        plan.selection(),
        plan.everything(),
        plan.waves(),
        plan.limits(),
        new Thresholds(
            usual.successPercent(),
            usual.failures(),
            usual.failurePercent(),
            usual.sample(),
            usual.inARow(),
            usual.byOutcome(),
            Reaction.ROLL_BACK_WAVE),
        plan.retries(),
        plan.window(),
        plan.lateJoiners(),
        plan.startAt(),
        plan.notAfter(),
        plan.priority(),
        plan.onBusy());
  }

  private static SteerWish ofWave(int wave) {
    return new SteerWish(
        UUID.randomUUID().toString(),
        Steer.ROLL_BACK_WAVE,
        "bob",
        "",
        Optional.of(wave),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }
}
