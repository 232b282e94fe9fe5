package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.store.rollout.RolloutRow;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/// A rollout on real Temporal: workflow, activities, upgrades, tables. Each test has devices of its own.
@Timeout(240)
abstract class RolloutScenario {
  protected static RolloutTestWorker worker;

  @BeforeAll
  static void open() {
    worker = new RolloutTestWorker();
  }

  @AfterAll
  static void close() {
    worker.close();
  }

  @AfterEach
  void repair() {
    worker.hosts.unblock();
    worker.hosts.repair();
    worker.presence.repair();
  }

  protected static String fleet(TestInfo info, int devices) {
    String fleet = "f" + Math.abs(info.getDisplayName().hashCode() % 1_000_000);
    worker.register(fleet, devices);
    return fleet;
  }

  protected static String[] names(String fleet, int devices) {
    String[] names = new String[devices];
    for (int i = 0; i < devices; i++) {
      names[i] = "%s-%02d".formatted(fleet, i + 1);
    }
    return names;
  }

  /// Returns a plan with one wave.
  protected static RolloutPlan inOneWave(String fleet, int parallel) {
    return with(RolloutTestWorker.plan(fleet), List.of(WaveSpec.of(new WaveSize.Rest())), limits(parallel));
  }

  /// Returns a plan with a first wave of this size, then the rest.
  protected static RolloutPlan inTwoWaves(String fleet, int first, int parallel) {
    return with(
        RolloutTestWorker.plan(fleet),
        List.of(WaveSpec.of(new WaveSize.Count(first)), WaveSpec.of(new WaveSize.Rest())),
        limits(parallel));
  }

  protected static RolloutLimits limits(int parallel) {
    return new RolloutLimits(parallel, 0, Optional.empty(), List.of());
  }

  protected static RolloutPlan with(RolloutPlan plan, List<WaveSpec> waves, RolloutLimits rolloutLimits) {
    return new RolloutPlan(
        plan.release(),
        plan.selection(),
        plan.everything(),
        waves,
        rolloutLimits,
        plan.thresholds(),
        plan.retries(),
        plan.window(),
        plan.lateJoiners(),
        plan.startAt(),
        plan.notAfter(),
        plan.priority(),
        plan.onBusy());
  }

  protected static Optional<TargetResult> upgraded() {
    return Optional.of(TargetResult.UPGRADED);
  }

  protected static RolloutRow ended(RolloutId id) {
    return worker.awaitState(id, RolloutState.ENDED);
  }

  protected static long preparing(RolloutId id) {
    return worker.hosts.prepared().stream().filter(upgrade -> upgrade.startsWith(id.name() + ".")).count();
  }

  /// Asserts that each upgrade was started once, so no host received a command twice.
  protected static void assertEachOnce(RolloutId id) {
    List<String> mine =
        worker.hosts.prepared().stream().filter(upgrade -> upgrade.startsWith(id.name() + ".")).toList();
    assertThat(new HashSet<>(mine)).hasSameSizeAs(mine);
  }

  protected static List<String> decisions(RolloutId id) {
    return worker.repositories.decisions().listSince(id, 0, 100).stream()
        .map(row -> row.decision().decision())
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
