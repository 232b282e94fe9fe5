package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.decision.RolloutSnapshot;
import dev.uplift.fleet.rollout.decision.WaveRules;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.rollout.DecisionRow;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.TargetCounts;
import dev.uplift.store.rollout.WaveRow;
import dev.uplift.workflows.rollout.RolloutStatus;
import java.time.Instant;
import java.util.Optional;

/// Reads where a rollout is, and begins its first wave when that is due. Every method is called
/// under the lock of the rollout.
final class RolloutStatusReader {
  private final RolloutRepositories repositories;
  private final RolloutId id;

  RolloutStatusReader(RolloutRepositories repositories, RolloutId id) {
    this.repositories = repositories;
    this.id = id;
  }

  /// The row as it is now.
  RolloutRow row() {
    return repositories.rollouts().find(id).orElseThrow();
  }

  /// The plan under the rules that hold now.
  static RolloutPlan plan(RolloutRow row) {
    return RolloutJson.readRules(row.rules()).applyTo(RolloutJson.readSpec(row.plan()).plan());
  }

  WaveSpec waveSpec(RolloutPlan plan, int number) {
    return waveSpec(plan, wave(number).map(WaveRow::planIndex).orElse(-1), number);
  }

  private Optional<WaveRow> wave(int number) {
    return repositories.waves().find(id, number);
  }

  /// The spec of a wave; a wave that is in no plan takes the rest.
  static WaveSpec waveSpec(RolloutPlan plan, int planIndex, int number) {
    return number > 0 && planIndex >= 0 && planIndex < plan.waves().size()
        ? plan.waves().get(planIndex)
        : WaveSpec.of(new WaveSize.Rest());
  }

  /// Whether its start time has not come. Who aborts it before that ends it.
  static boolean isScheduled(RolloutRow row, Instant now) {
    return row.currentWave() == 0
        && row.startAt().filter(now::isBefore).isPresent()
        && RolloutJson.readControl(row.control()).abortedBy().isEmpty();
  }

  /// The row after the first wave has begun, or with the time for which it waits.
  RolloutRow beginIfDue(RolloutRow row, Instant now) {
    if (row.currentWave() > 0 || row.endedAt().isPresent()) {
      return row;
    }
    return isScheduled(row, now) ? recordSchedule(row) : repositories.rollouts().startWave(id, 1);
  }

  private RolloutRow recordSchedule(RolloutRow row) {
    Optional<String> pausedBy = RolloutJson.readControl(row.control()).pausedBy();
    return repositories
        .rollouts()
        .setState(
            id,
            pausedBy.isPresent() ? RolloutState.PAUSED : RolloutState.PLANNED,
            pausedBy.map(_ -> WaitReason.PAUSED),
            pausedBy
                .map(by -> "paused by " + by)
                .orElse("starts at " + row.startAt().orElseThrow()),
            Optional.empty());
  }

  RolloutStatus status(RolloutRow row, RolloutSnapshot snapshot, Instant now) {
    return new RolloutStatus(
        row.revision() + row.lastResultNumber() + row.currentWave(),
        row.state(),
        row.waiting().map(RolloutWait::reason),
        message(row, now),
        isScheduled(row, now) && row.endedAt().isEmpty() ? row.startAt() : Optional.empty(),
        snapshot,
        row.outcome(),
        Optional.empty());
  }

  RolloutStatus status(RolloutRow row, Instant now) {
    return status(row, snapshot(row, now), now);
  }

  private String message(RolloutRow row, Instant now) {
    if (isScheduled(row, now)) {
      return "starts at " + row.startAt().orElseThrow();
    }
    return row.waiting()
        .map(RolloutWait::message)
        .orElseGet(() ->
            repositories
                .decisions()
                .findLast(id)
                .map(DecisionRow::decision)
                .map(decision -> decision.message())
                .orElse(""));
  }

  RolloutSnapshot snapshot(RolloutRow row, Instant now) {
    return snapshot(row, plan(row), repositories.statistics().targetCounts(id), now);
  }

  /// @param counts of the same transaction; those of a large rollout are not read twice
  RolloutSnapshot snapshot(RolloutRow row, RolloutPlan plan, TargetCounts counts, Instant now) {
    int number = row.currentWave();
    Optional<WaveRow> wave = wave(number);
    WaveSpec spec = waveSpec(plan, wave.map(WaveRow::planIndex).orElse(-1), number);
    RolloutControl control = RolloutJson.readControl(row.control());
    return new RolloutSnapshot(
        WaveRules.of(plan, spec, number, row.waveCount()),
        control,
        counts.ofWave(number),
        counts.beforeWave(number),
        counts.afterWave(number).pending(),
        repositories.statistics().failureCounts(id, row.baselineResultNumber()),
        repositories.statistics().recentStarts(id, now),
        counts.unfinishedReverts(),
        wave.flatMap(WaveRow::lastEndedAt),
        now);
  }
}
