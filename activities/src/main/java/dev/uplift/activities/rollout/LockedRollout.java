package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Abort;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.NextWave;
import dev.uplift.fleet.rollout.Decision.Pause;
import dev.uplift.fleet.rollout.Decision.RollBackWave;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.PauseCause;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.decision.RolloutSnapshot;
import dev.uplift.fleet.rollout.decision.SoakWatch;
import dev.uplift.fleet.rollout.decision.WavePolicy;
import dev.uplift.fleet.rollout.decision.WaveRules;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.rollout.DecisionRow;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.TargetCounts;
import dev.uplift.store.rollout.WaveRow;
import dev.uplift.store.tenant.TenantStopRow;
import dev.uplift.workflows.rollout.RolloutStatus;
import java.time.Instant;
import java.util.Optional;

/// Reads where a rollout is, and writes decisions about it and what follows from them. Every method is called under the
/// lock of the rollout's row.
final class LockedRollout {
  static final String SYSTEM_ACTOR = "uplift";

  private final RolloutRepositories repositories;
  private final RolloutId id;

  LockedRollout(RolloutRepositories repositories, RolloutId id) {
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

  /// Returns whether its start time has not come. An abort before that ends it.
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
            pausedBy.map(by -> "paused by " + by).orElse("starts at " + row.startAt().orElseThrow()),
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
        wave.map(LockedRollout::soakWatch).orElse(SoakWatch.NONE),
        now,
        repositories.common().tenantStops().find(id.tenant()).map(TenantStopRow::describe));
  }

  private static SoakWatch soakWatch(WaveRow wave) {
    return new SoakWatch(wave.watched(), wave.watchedUntil(), wave.unheard());
  }

  /// Writes `decision` if it was made in the current wave and the policy decides the same from what the rows say now.
  /// So it is safe to repeat, and harmless when it comes late.
  RolloutStatus record(RolloutRow row, int wave, Decision decision, Instant now) {
    RolloutSnapshot snapshot = snapshot(row, now);
    boolean holds =
        row.endedAt().isEmpty() && row.currentWave() == wave && isSameKind(WavePolicy.decide(snapshot), decision);
    if (!holds) {
      return status(row, snapshot, now);
    }
    apply(row, decision, snapshot);
    return recordWaitThatFollows(now);
  }

  private static boolean isSameKind(Decision one, Decision other) {
    return one.code().equals(other.code())
        && (!(one instanceof Wait a) || !(other instanceof Wait b) || a.reason() == b.reason());
  }

  private void apply(RolloutRow row, Decision decision, RolloutSnapshot snapshot) {
    RolloutControl control = snapshot.control();
    switch (decision) {
      case Start start -> recordStart(row, start, snapshot);
      case Wait wait -> recordWait(row, wait, snapshot);
      case NextWave next -> {
        append(row, next, snapshot);
        repositories.rollouts().startWave(id, row.currentWave() + 1);
        saveControl(control.atNextWave());
        setState(RolloutState.RUNNING);
      }
      case Pause pause -> {
        append(row, pause, snapshot);
        saveControl(control.paused(by(pause), PauseCause.THRESHOLD));
      }
      case Abort abort -> {
        append(row, abort, snapshot);
        saveControl(control.aborted(by(abort), false));
      }
      case RollBackWave back -> {
        append(row, back, snapshot);
        saveControl(rollingBack(row, control, back));
      }
      case Finish end -> {
        append(row, end, snapshot);
        if (end.outcome() != RolloutOutcome.ABORTED) {
          repositories.targets().endOffline(id);
        }
        repositories.rollouts().end(id, end.outcome());
      }
    }
  }

  /// Pauses at once if no device runs the release, and none will.
  private RolloutControl rollingBack(RolloutRow row, RolloutControl control, RollBackWave back) {
    repositories.reverts().markToRevert(id, row.currentWave(), WaveRollback.REVERTIBLE_RESULTS);
    TargetCounts counts = repositories.statistics().targetCounts(id);
    return counts.unfinishedReverts() + counts.all().inProgress() == 0
        ? control.paused(by(back), PauseCause.THRESHOLD)
        : control.rollingBack(row.currentWave(), by(back), PauseCause.THRESHOLD);
  }

  /// After a pause the row says at once that it is paused, after a new wave that it waits for its gate: no second call
  /// is needed for that.
  private RolloutStatus recordWaitThatFollows(Instant now) {
    RolloutRow row = row();
    RolloutSnapshot snapshot = snapshot(row, now);
    if (row.endedAt().isEmpty() && WavePolicy.decide(snapshot) instanceof Wait wait) {
      recordWait(row, wait, snapshot);
    }
    return status(row(), snapshot, now);
  }

  void recordStart(RolloutRow row, Start start, RolloutSnapshot snapshot) {
    repositories.decisions().appendIfNew(id, newDecision(row, start, snapshot));
    setState(RolloutState.RUNNING);
  }

  void recordWait(RolloutRow row, Wait wait, RolloutSnapshot snapshot) {
    if (isLogged(wait.reason())) {
      repositories.decisions().appendIfNew(id, newDecision(row, wait, snapshot));
    }
    repositories
        .rollouts()
        .setState(id, RolloutState.after(wait), Optional.of(wait.reason()), wait.message(), wait.until());
  }

  /// Waits that come and go with every device are not logged. Neither is a pause: the decision or the action that made
  /// it is in the log.
  private static boolean isLogged(WaitReason reason) {
    return switch (reason) {
      case UPGRADES_RUNNING, MAX_PARALLEL, RATE_LIMIT, GROUP_LIMIT, DEVICE_BUSY, LOWER_PRIORITY, BACK_OFF, PAUSED ->
          false;
      case APPROVAL,
          GATE_TIME,
          WINDOW,
          NO_WINDOW,
          OFFLINE,
          PRESENCE_UNKNOWN,
          DEVICE_HELD,
          DEVICE_PINNED,
          STOPPED,
          SOAK,
          ROLLING_BACK,
          ABORTING ->
          true;
    };
  }

  private void setState(RolloutState state) {
    repositories.rollouts().setState(id, state, Optional.empty(), "", Optional.empty());
  }

  private void saveControl(RolloutControl control) {
    repositories.rollouts().setControl(id, RolloutJson.write(control));
  }

  private static String by(Decision decision) {
    return SYSTEM_ACTOR + ": " + decision.message();
  }

  private void append(RolloutRow row, Decision decision, RolloutSnapshot snapshot) {
    repositories.decisions().append(id, newDecision(row, decision, snapshot));
  }

  private static NewDecision newDecision(RolloutRow row, Decision decision, RolloutSnapshot snapshot) {
    return new NewDecision(
        row.currentWave(),
        decision.code(),
        decision instanceof Wait wait ? wait.reason().toString() : "",
        decision.message(),
        snapshot.describe(),
        SYSTEM_ACTOR,
        Optional.empty());
  }
}
