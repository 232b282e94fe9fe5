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
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.decision.RolloutSnapshot;
import dev.uplift.fleet.rollout.decision.WavePolicy;
import dev.uplift.fleet.rollout.decision.WaveRules;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.start.StartSelection;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetCounts;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.rollout.WaveRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Asks the policy until it says to start devices, to wait, or that it is over, and writes what it
/// says. For one pass, under the lock of the rollout.
final class DecisionRecorder {
  static final String SYSTEM_ACTOR = "uplift";

  private final RolloutRepositories repositories;
  private final RolloutId id;
  private final RolloutPlan plan;
  private final SilentDevices silentDevices;
  private final Instant now;
  private final boolean mayLookAhead;

  /// @param plan under the rules that hold now
  /// @param mayLookAhead whether it is worth a look who may prepare ahead while no slot is free
  DecisionRecorder(
      RolloutRepositories repositories,
      RolloutId id,
      RolloutPlan plan,
      SilentDevices silentDevices,
      Instant now,
      boolean mayLookAhead) {
    this.mayLookAhead = mayLookAhead;
    this.repositories = repositories;
    this.id = id;
    this.plan = plan;
    this.silentDevices = silentDevices;
    this.now = now;
  }

  /// What it came to.
  ///
  /// @param toStart who is to be started
  /// @param toProceed who is to be told to go on
  /// @param noStartReason of those that are to come might start, and why; empty if somebody did, or if
  ///   nobody was looked for
  /// @param counts as they stand afterwards
  record DecisionResult(
      Decision decision,
      Optional<Instant> recheckAt,
      List<TargetRow> toStart,
      List<TargetRow> toProceed,
      Optional<Wait> noStartReason,
      TargetCounts counts) {}

  /// @param counts as the situation has them; of a large rollout they are not asked for twice
  private record SnapshotAndCounts(RolloutSnapshot snapshot, TargetCounts counts) {}

  /// How a wave is planned.
  static WaveSpec waveSpec(RolloutRepositories repositories, RolloutId id, RolloutPlan plan, int number) {
    return waveSpec(plan, repositories.waves().find(id, number).map(WaveRow::planIndex).orElse(-1));
  }

  static WaveSpec waveSpec(RolloutPlan plan, int place) {
    return place >= 0 && place < plan.waves().size()
        ? plan.waves().get(place)
        : WaveSpec.of(new WaveSize.Rest());
  }

  /// @param still why nobody may start, where that was found out a moment ago
  /// @param noneBack why nobody of those that are to go back may
  DecisionResult decide(Optional<Wait> still, Optional<Wait> noneBack) {
    while (true) {
      RolloutRow row = repositories.rollouts().find(id).orElseThrow();
      SnapshotAndCounts snapshotAndCounts = readSnapshot(row);
      RolloutSnapshot snapshot = snapshotAndCounts.snapshot();
      RolloutControl control = snapshot.control();
      switch (WavePolicy.decide(snapshot)) {
        case Start limits -> {
          return start(row, limits, snapshotAndCounts, still);
        }
        case Wait wait -> {
          return recordWait(row, withRollbackWait(wait, noneBack), snapshotAndCounts, Optional.empty());
        }
        case Finish end -> {
          append(row, end, snapshot);
          repositories.rollouts().end(id, end.outcome());
          return new DecisionResult(
              end, Optional.empty(), List.of(), List.of(), Optional.empty(), snapshotAndCounts.counts());
        }
        case NextWave next -> {
          append(row, next, snapshot);
          repositories.rollouts().startWave(id, row.currentWave() + 1);
          saveControl(control.atNextWave());
        }
        case Pause pause -> {
          append(row, pause, snapshot);
          saveControl(control.paused(by(pause)));
        }
        case RollBackWave back -> {
          append(row, back, snapshot);
          repositories.reverts().markToRevert(id, row.currentWave(), WaveRollback.REVERTIBLE_RESULTS);
          TargetCounts counts = repositories.statistics().targetCounts(id);
          boolean nobody = counts.unfinishedReverts() + counts.all().inProgress() == 0;
          saveControl(
              nobody
                  ? control.paused(by(back))
                  : control.rollingBack(row.currentWave(), by(back)));
        }
        case Abort abort -> {
          append(row, abort, snapshot);
          saveControl(control.aborted(by(abort), false));
        }
      }
    }
  }

  private static Wait withRollbackWait(Wait wait, Optional<Wait> noneBack) {
    return noneBack
        .filter(_ -> wait.reason() == WaitReason.ROLLING_BACK)
        .map(lastWait ->
            new Wait(wait.reason(), lastWait.until(), "%s; %s".formatted(wait.message(), lastWait.message())))
        .orElse(wait);
  }

  private static String by(Decision decision) {
    return SYSTEM_ACTOR + ": " + decision.message();
  }

  private void saveControl(RolloutControl control) {
    repositories.rollouts().setControl(id, RolloutJson.write(control));
  }

  private SnapshotAndCounts readSnapshot(RolloutRow row) {
    TargetCounts counts = repositories.statistics().targetCounts(id);
    return new SnapshotAndCounts(buildSnapshot(row, counts), counts);
  }

  private RolloutSnapshot buildSnapshot(RolloutRow row, TargetCounts counts) {
    int wave = row.currentWave();
    return new RolloutSnapshot(
        WaveRules.of(plan, waveSpec(repositories, id, plan, wave), wave, row.waveCount()),
        RolloutJson.readControl(row.control()),
        counts.ofWave(wave),
        counts.beforeWave(wave),
        counts.afterWave(wave).pending(),
        repositories.statistics().failureCounts(id, row.baselineResultNumber()),
        repositories.statistics().recentStarts(id, now),
        counts.unfinishedReverts(),
        repositories.waves().find(id, wave).flatMap(WaveRow::lastEndedAt),
        now);
  }

  private DecisionResult start(RolloutRow row, Start limits, SnapshotAndCounts snapshotAndCounts, Optional<Wait> still) {
    boolean ahead = mayLookAhead && limits.maxPreparing() > 0 && !plan.window().prepareAhead().isZero();
    if (limits.maxStarts() == 0 && !ahead) {
      return recordWait(row, allSlotsTaken(limits), snapshotAndCounts, Optional.empty());
    }
    if (still.isPresent()) {
      return recordWait(row, still.get(), snapshotAndCounts, still);
    }
    var candidateSelector = new CandidateSelector(repositories, row, plan, silentDevices, now);
    StartSelection next = candidateSelector.select(limits, snapshotAndCounts.snapshot().rules().soak());
    if (next.isEmpty()) {
      Wait wait = limits.maxStarts() == 0 ? allSlotsTaken(limits) : next.waitDecision();
      return recordWait(row, wait, snapshotAndCounts, Optional.of(wait).filter(_ -> limits.maxStarts() > 0));
    }
    List<TargetRow> toStart = new ArrayList<>(repositories.targets().markStarting(id, next.start(), false));
    toStart.addAll(repositories.targets().markStarting(id, next.prepare(), true));
    List<TargetRow> toProceed = repositories.targets().markProceeding(id, next.proceed());
    repositories.decisions().appendIfNew(id, newDecision(row, limits, snapshotAndCounts.snapshot()));
    repositories.rollouts().setState(id, RolloutState.RUNNING, Optional.empty(), "", Optional.empty());
    TargetCounts afterwards = repositories.statistics().targetCounts(id);
    return new DecisionResult(limits, Optional.empty(), toStart, toProceed, Optional.empty(), afterwards);
  }

  private static Wait allSlotsTaken(Start limits) {
    return new Wait(WaitReason.MAX_PARALLEL, Optional.empty(), limits.message());
  }

  private DecisionResult recordWait(RolloutRow row, Wait wait, SnapshotAndCounts snapshotAndCounts, Optional<Wait> noStartReason) {
    if (isLogged(wait.reason())) {
      repositories.decisions().appendIfNew(id, newDecision(row, wait, snapshotAndCounts.snapshot()));
    }
    repositories
        .rollouts()
        .setState(
            id, RolloutState.after(wait), Optional.of(wait.reason()), wait.message(), wait.until());
    Optional<Instant> next =
        Stream.of(wait.until(), snapshotAndCounts.snapshot().recheckAt())
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder());
    return new DecisionResult(wait, next, List.of(), List.of(), noStartReason, snapshotAndCounts.counts());
  }

  /// What comes and goes with every device is in no log, and a pause is there already: it was
  /// decided, or somebody's wish.
  private static boolean isLogged(WaitReason reason) {
    return switch (reason) {
      case UPGRADES_RUNNING, MAX_PARALLEL, RATE_LIMIT, GROUP_LIMIT, DEVICE_BUSY, LOWER_PRIORITY, BACK_OFF, PAUSED -> false;
      case APPROVAL, GATE_TIME, WINDOW, NO_WINDOW, DEVICE_HELD, SOAK, ROLLING_BACK, ABORTING -> true;
    };
  }

  private void append(RolloutRow row, Decision decision, RolloutSnapshot found) {
    repositories.decisions().append(id, newDecision(row, decision, found));
  }

  private static NewDecision newDecision(RolloutRow row, Decision decision, RolloutSnapshot found) {
    return new NewDecision(
        row.currentWave(),
        decision.code(),
        decision instanceof Wait wait ? wait.reason().toString() : "",
        decision.message(),
        found.describe(),
        SYSTEM_ACTOR,
        Optional.empty());
  }
}
