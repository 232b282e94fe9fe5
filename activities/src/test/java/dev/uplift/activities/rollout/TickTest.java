package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Gate;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.RolloutWait;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.rollout.SteerWish;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/// Rollouts on real Temporal: workflow, tick, upgrades, tables.
@Timeout(240)
final class TickTest {
  private static RolloutWorld world;

  @BeforeAll
  static void open() {
    world = new RolloutWorld();
  }

  @AfterAll
  static void close() {
    world.close();
  }

  @AfterEach
  void repair() {
    world.hosts.goOn();
    world.hosts.repair();
  }

  @Test
  void thirtyDevicesInThreeWavesOneAfterTheOther(TestInfo info) {
    String fleet = fleet(info, 30);

    RolloutId id = world.start(RolloutWorld.plan(fleet));

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    List<TargetRow> targets = world.targets(id);
    assertThat(targets).hasSize(30).allMatch(target -> target.state() == TargetState.ENDED);
    assertThat(targets).extracting(target -> target.turn().wave()).contains(1, 2, 3);
    for (int wave = 1; wave < 3; wave++) {
      int now = wave;
      assertThat(targets.stream().filter(target -> target.turn().wave() == now))
          .allSatisfy(earlier ->
              assertThat(targets.stream().filter(target -> target.turn().wave() > now))
                  .allMatch(later ->
                      later.startedAt().orElseThrow().isAfter(earlier.endedAt().orElseThrow())));
    }
    assertEachOnce(id);
    assertThat(decisions(id))
        .containsExactly("start", "next-wave", "start", "next-wave", "start", "finish");
  }

  @Test
  void secondFailurePausesAndAResumeGoesOnAndForgivesIt(TestInfo info) {
    String fleet = fleet(info, 12);
    world.hosts.fail(names(fleet, 12));

    RolloutId id = world.start(inTwoWaves(fleet, 3, 100));

    RolloutRow paused = world.awaitState(id, RolloutState.PAUSED);
    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) >= 2);
    assertThat(paused.waiting().map(RolloutWait::what)).contains(Waiting.PAUSED);
    assertThat(paused.waiting().map(RolloutWait::sentence).orElseThrow())
        .contains("uplift", "it stops at 2");
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.in(id, TargetState.STARTED) + world.in(id, TargetState.STARTING) == 0);
    assertThat(world.in(id, TargetState.PENDING)).isPositive();

    world.hosts.repair();
    assertThat(world.steer(id, Steer.RETRY_FAILED)).isInstanceOf(Steered.Done.class);
    assertThat(world.steer(id, Steer.RESUME)).isInstanceOf(Steered.Done.class);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.targets(id)).allMatch(target -> target.verdict().equals(upgraded()));
    assertThat(world.targets(id)).extracting(TargetRow::attempt).contains(2);
    assertEachOnce(id);
  }

  @Test
  void afterAPauseIsAnsweredNothingMoreIsStarted(TestInfo info) {
    String fleet = fleet(info, 12);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 4));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 4);

    assertThat(world.steer(id, Steer.PAUSE)).isInstanceOf(Steered.Done.class);
    world.hosts.goOn();

    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) == 4);
    assertThat(world.row(id).state()).isEqualTo(RolloutState.PAUSED);
    assertThat(world.in(id, TargetState.PENDING)).isEqualTo(8);
    assertThat(world.steer(id, Steer.PAUSE)).isInstanceOf(Steered.Refused.class);

    world.steer(id, Steer.ABORT);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(preparing(id)).isEqualTo(4);
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.steer(id, Steer.RESUME) instanceof Steered.Over);
  }

  @Test
  void hardAbortBreaksOffWhatIsInWork(TestInfo info) {
    String fleet = fleet(info, 6);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 100));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 6);

    assertThat(world.steer(id, Steer.ABORT_HARD)).isInstanceOf(Steered.Done.class);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(world.targets(id))
        .allMatch(target -> target.verdict().equals(Optional.of(Verdict.ABORTED)));
  }

  @Test
  void gateOpensForAnotherPersonThanTheAuthorAndOnlyOnce(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutPlan plan =
        with(
            RolloutWorld.plan(fleet),
            List.of(
                WaveSpec.of(new WaveSize.Count(1)),
                WaveSpec.of(new WaveSize.Rest()).after(new Gate.Approval())),
            Limits.USUAL);
    RolloutId id = world.start(plan);
    world.awaitState(id, RolloutState.WAITING_APPROVAL);

    Steered byAuthor = world.steer(id, SteerWish.of("a1", Steer.APPROVE, "ann", ""));
    Steered byOther = world.steer(id, SteerWish.of("a2", Steer.APPROVE, "bob", "looks good"));

    assertThat(byAuthor)
        .isEqualTo(new Steered.Refused("ann wrote the rollout; expected another person"));
    assertThat(byOther).isEqualTo(new Steered.Done("wave 2 of 2 may begin"));
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(decisions(id)).containsOnlyOnce("approve");
  }

  @Test
  void skippedDeviceIsLeftOutAndTheRestIsUpgraded(TestInfo info) {
    String fleet = fleet(info, 5);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 2));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 2);
    String waiting =
        world.targets(id).stream()
            .filter(target -> target.state() == TargetState.PENDING)
            .findFirst()
            .orElseThrow()
            .device();

    SteerWish wish =
        new SteerWish(
            "s1",
            Steer.SKIP_DEVICE,
            "bob",
            "",
            Optional.empty(),
            Optional.of(waiting),
            List.of(),
            Optional.empty());
    assertThat(world.steer(id, wish)).isEqualTo(new Steered.Done(waiting + " is left out"));
    assertThat(world.steer(id, wish)).isEqualTo(new Steered.Done(waiting + " is left out"));
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(world.in(id, TargetState.ENDED)).isEqualTo(4);
    assertThat(world.in(id, TargetState.SKIPPED)).isEqualTo(1);
  }

  @Test
  void killedWorkerLosesNoDeviceAndStartsNoneTwice(TestInfo info) {
    String fleet = fleet(info, 20);
    RolloutId id = world.start(inTwoWaves(fleet, 10, 5));
    for (int kill = 1; kill <= 3; kill++) {
      int enough = 4 * kill;
      await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) >= enough);
      world.killAndReplace();
    }

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.in(id, TargetState.ENDED)).isEqualTo(20);
    assertEachOnce(id);
    assertThat(world.row(id).verdicts()).isEqualTo(20);
  }

  @Test
  void whoWasMarkedByAServerThatWasKilledIsStartedByTheNextOne(TestInfo info) {
    String fleet = fleet(info, 6);
    RolloutId id = world.create(inOneWave(fleet, 3));

    assertThat(world.passOfOneThatIsKilled(id).toStart()).hasSize(3);
    assertThat(world.in(id, TargetState.STARTING)).isEqualTo(3);
    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
  }

  @Test
  void whoWasMarkedAndNotStartedIsToComeAgainOnceItIsPaused(TestInfo info) {
    String fleet = fleet(info, 6);
    RolloutId id = world.create(inOneWave(fleet, 3));
    world.passOfOneThatIsKilled(id);
    world.steerInTables(id, Steer.PAUSE);

    world.start(id);

    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.PENDING) == 6);
    assertThat(preparing(id)).isZero();
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.steer(id, Steer.RESUME) instanceof Steered.Done);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void twoServersAtOnceStartNobodyTwiceAndCountNothingTwice(TestInfo info) {
    String fleet = fleet(info, 16);
    RolloutId id = world.start(inTwoWaves(fleet, 6, 3));

    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.passOfAnother(id).isOver());

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.row(id).verdicts()).isEqualTo(16);
    assertEachOnce(id);
    assertThat(decisions(id)).containsOnlyOnce("next-wave", "finish");
  }

  private static String fleet(TestInfo info, int devices) {
    String fleet = "f" + Math.abs(info.getDisplayName().hashCode() % 1_000_000);
    world.register(fleet, devices);
    return fleet;
  }

  private static String[] names(String fleet, int devices) {
    String[] names = new String[devices];
    for (int i = 0; i < devices; i++) {
      names[i] = "%s-%02d".formatted(fleet, i + 1);
    }
    return names;
  }

  /// All in one wave.
  private static RolloutPlan inOneWave(String fleet, int parallel) {
    return with(
        RolloutWorld.plan(fleet), List.of(WaveSpec.of(new WaveSize.Rest())), limits(parallel));
  }

  /// So many, then the rest.
  private static RolloutPlan inTwoWaves(String fleet, int first, int parallel) {
    return with(
        RolloutWorld.plan(fleet),
        List.of(WaveSpec.of(new WaveSize.Count(first)), WaveSpec.of(new WaveSize.Rest())),
        limits(parallel));
  }

  private static Limits limits(int parallel) {
    return new Limits(parallel, 0, Optional.empty(), List.of());
  }

  private static RolloutPlan with(RolloutPlan plan, List<WaveSpec> waves, Limits limits) {
    return new RolloutPlan(
        plan.release(),
        plan.selection(),
        plan.everything(),
        waves,
        limits,
        plan.thresholds(),
        plan.retries(),
        plan.window(),
        plan.lateJoiners(),
        plan.startAt(),
        plan.notAfter(),
        plan.priority(),
        plan.onBusy());
  }

  private static Optional<Verdict> upgraded() {
    return Optional.of(Verdict.UPGRADED);
  }

  private static RolloutRow ended(RolloutId id) {
    return world.awaitState(id, RolloutState.ENDED);
  }

  private static long preparing(RolloutId id) {
    return world.hosts.prepared().stream()
        .filter(upgrade -> upgrade.startsWith(id.name() + "."))
        .count();
  }

  /// Each upgrade was begun once, so no host was told twice.
  private static void assertEachOnce(RolloutId id) {
    List<String> mine =
        world.hosts.prepared().stream()
            .filter(upgrade -> upgrade.startsWith(id.name() + "."))
            .toList();
    assertThat(new HashSet<>(mine)).hasSameSizeAs(mine);
  }

  private static List<String> decisions(RolloutId id) {
    return world.tables.decisions().since(id, 0, 100).stream()
        .map(row -> row.said().decision())
        .toList();
  }
}
