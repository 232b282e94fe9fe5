package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.store.RolloutRow;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/// A rollout on real Temporal: workflow, tick, upgrades, tables. Each test has devices of its own.
@Timeout(240)
abstract class RolloutScenario {
  protected static RolloutWorld world;

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

  protected static String fleet(TestInfo info, int devices) {
    String fleet = "f" + Math.abs(info.getDisplayName().hashCode() % 1_000_000);
    world.register(fleet, devices);
    return fleet;
  }

  protected static String[] names(String fleet, int devices) {
    String[] names = new String[devices];
    for (int i = 0; i < devices; i++) {
      names[i] = "%s-%02d".formatted(fleet, i + 1);
    }
    return names;
  }

  /// All in one wave.
  protected static RolloutPlan inOneWave(String fleet, int parallel) {
    return with(
        RolloutWorld.plan(fleet), List.of(WaveSpec.of(new WaveSize.Rest())), limits(parallel));
  }

  /// So many, then the rest.
  protected static RolloutPlan inTwoWaves(String fleet, int first, int parallel) {
    return with(
        RolloutWorld.plan(fleet),
        List.of(WaveSpec.of(new WaveSize.Count(first)), WaveSpec.of(new WaveSize.Rest())),
        limits(parallel));
  }

  protected static Limits limits(int parallel) {
    return new Limits(parallel, 0, Optional.empty(), List.of());
  }

  protected static RolloutPlan with(RolloutPlan plan, List<WaveSpec> waves, Limits limits) {
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

  protected static Optional<Verdict> upgraded() {
    return Optional.of(Verdict.UPGRADED);
  }

  protected static RolloutRow ended(RolloutId id) {
    return world.awaitState(id, RolloutState.ENDED);
  }

  protected static long preparing(RolloutId id) {
    return world.hosts.prepared().stream()
        .filter(upgrade -> upgrade.startsWith(id.name() + "."))
        .count();
  }

  /// Each upgrade was begun once, so no host was told twice.
  protected static void assertEachOnce(RolloutId id) {
    List<String> mine =
        world.hosts.prepared().stream()
            .filter(upgrade -> upgrade.startsWith(id.name() + "."))
            .toList();
    assertThat(new HashSet<>(mine)).hasSameSizeAs(mine);
  }

  protected static List<String> decisions(RolloutId id) {
    return world.tables.decisions().since(id, 0, 100).stream()
        .map(row -> row.said().decision())
        .toList();
  }

  protected static RolloutPlan withLateJoiners(RolloutPlan plan) {
    return new RolloutPlan(
        plan.release(),
        plan.selection(),
        plan.everything(),
        plan.waves(),
        plan.limits(),
        plan.thresholds(),
        plan.retries(),
        plan.window(),
        true,
        plan.startAt(),
        plan.notAfter(),
        plan.priority(),
        plan.onBusy());
  }
}
