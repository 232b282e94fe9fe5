package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.rollout.DecisionRow;
import dev.uplift.store.rollout.NewTargetResult;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One look at a rollout, in one transaction under the lock of its row: what has ended is written
/// down, what follows from that is decided, and who starts is marked. What is then to be started
/// comes back, for the lock is not held while Temporal is asked. For one tick.
final class ReconcilePass {
  /// While many devices wait for something, who may start is not asked at every pass.
  private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(5);

  /// A look at a large fleet takes its time, and is done the more rarely; but within this.
  private static final Duration MAX_RECHECK_INTERVAL = Duration.ofMinutes(1);

  private static final int PAUSE_FACTOR = 50;

  private final RolloutRepositories repositories;
  private final RolloutId id;
  private final ResultCollector resultCollector;
  private final WaveHealthCheck healthCheck;
  private final SilentDevices silentDevices;
  private final WaveRollback waveRollback;

  /// What it found last when it looked for devices that may start, and there were none.
  private record IdleResult(long revision, long resultRevision, Instant until, Wait lastWait) {}

  private Optional<IdleResult> idle = Optional.empty();
  private Instant nextHealthCheck = Instant.MIN;
  private Instant nextPrepareAhead = Instant.MIN;

  ReconcilePass(RolloutRepositories repositories, Presence presence, RolloutId id) {
    this.repositories = repositories;
    this.id = id;
    this.resultCollector = new ResultCollector(repositories);
    this.healthCheck = new WaveHealthCheck(repositories, presence);
    this.silentDevices = new SilentDevices(repositories, presence);
    this.waveRollback = new WaveRollback(repositories, id, silentDevices);
  }

  PassResult run(Instant now) {
    checkHealth(now);
    return repositories.database().inTransaction(() -> runLocked(now));
  }

  private PassResult runLocked(Instant now) {
    RolloutRow row =
        repositories
            .rollouts()
            .lock(id)
            .orElseThrow(() -> new IllegalStateException("there is no rollout " + id));
    RolloutSpec spec = RolloutJson.readSpec(row.plan());
    if (row.state() == RolloutState.ENDED) {
      return result(row, spec, finished(row), Optional.empty());
    }
    if (isScheduled(row, now)) {
      return awaitStart(row, spec);
    }
    RolloutRules rules = RolloutJson.readRules(row.rules());
    List<TargetRow> uncertainStarts = repositories.queue().listInState(id, TargetState.STARTING);
    List<TargetRow> toProceed = repositories.queue().listInState(id, TargetState.PROCEEDING);
    resultCollector.collect(id, rules.retries());
    waveRollback.collect();
    waveRollback.advance(row);
    if (row.currentWave() == 0) {
      repositories.rollouts().startWave(id, 1);
    }
    return decide(spec, rules.applyTo(spec.plan()), new Uncertain(uncertainStarts, toProceed), now);
  }

  /// Of whom nobody knows whether they were started, and told to go on.
  private record Uncertain(List<TargetRow> started, List<TargetRow> proceeding) {}

  private Decision finished(RolloutRow row) {
    return new Finish(
        row.outcome().orElse(RolloutOutcome.ABORTED),
        repositories.decisions().findLast(id).map(DecisionRow::decision).map(decision -> decision.message()).orElse(""));
  }

  private static boolean isScheduled(RolloutRow row, Instant now) {
    return row.currentWave() == 0
        && row.startAt().filter(now::isBefore).isPresent()
        && RolloutJson.readControl(row.control()).abortedBy().isEmpty();
  }

  private PassResult awaitStart(RolloutRow row, RolloutSpec spec) {
    Optional<String> pausedBy = RolloutJson.readControl(row.control()).pausedBy();
    String sentence =
        pausedBy.map(by -> "paused by " + by).orElse("starts at " + row.startAt().orElseThrow());
    RolloutRow now =
        repositories
            .rollouts()
            .setState(
                id,
                pausedBy.isPresent() ? RolloutState.PAUSED : RolloutState.PLANNED,
                pausedBy.map(_ -> WaitReason.PAUSED),
                sentence,
                Optional.empty());
    return result(
        now,
        spec,
        new Wait(
            pausedBy.isPresent() ? WaitReason.PAUSED : WaitReason.GATE_TIME, row.startAt(), sentence),
        row.startAt());
  }

  private PassResult result(RolloutRow row, RolloutSpec spec, Decision said, Optional<Instant> next) {
    return new PassResult(
        row,
        spec,
        RolloutJson.readControl(row.control()),
        repositories.statistics().targetCounts(id),
        said,
        next,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        WaveRollback.RollbackBatch.EMPTY);
  }

  /// Members of a wave that soaks have to stay healthy. A wave may be large, so they are looked at
  /// without the lock.
  private void checkHealth(Instant now) {
    if (!now.isBefore(nextHealthCheck)) {
      nextHealthCheck = now.plus(RECHECK_INTERVAL);
      repositories.rollouts().find(id).filter(this::isSoaking).ifPresent(row -> recordUnhealthy(row, now));
    }
  }

  private boolean isSoaking(RolloutRow row) {
    RolloutPlan plan = RolloutJson.readSpec(row.plan()).plan();
    return row.endedAt().isEmpty()
        && row.currentWave() > 0
        && DecisionRecorder.waveSpec(repositories, id, plan, row.currentWave()).soak().isPositive();
  }

  private void recordUnhealthy(RolloutRow row, Instant now) {
    List<NewTargetResult> unhealthy = healthCheck.findUnhealthy(row, now);
    if (!unhealthy.isEmpty()) {
      repositories.targets().markUnhealthy(id, unhealthy);
    }
  }

  private PassResult decide(RolloutSpec spec, RolloutPlan plan, Uncertain uncertain, Instant now) {
    WaveRollback.RollbackBatch rollback = waveRollback.markNext(repositories.rollouts().find(id).orElseThrow(), plan, now);
    // What is said from here on is news to the next pass, and ends its quiet.
    RolloutRow begun = repositories.rollouts().find(id).orElseThrow();
    boolean mayLookAhead = !now.isBefore(nextPrepareAhead);
    nextPrepareAhead = mayLookAhead ? now.plus(RECHECK_INTERVAL) : nextPrepareAhead;
    DecisionRecorder decisionRecorder = new DecisionRecorder(repositories, id, plan, silentDevices, now, mayLookAhead);
    long before = System.nanoTime();
    DecisionRecorder.DecisionResult decisionResult = decisionRecorder.decide(stillWaiting(begun, now), rollback.waitReason());
    Duration pause = pause(Duration.ofNanos(System.nanoTime() - before));
    RolloutRow row = repositories.rollouts().find(id).orElseThrow();
    idle =
        decisionResult
            .noStartReason()
            .map(wait ->
                stillWaiting(begun, now)
                    .filter(wait::equals)
                    .flatMap(_ -> idle)
                    .orElseGet(() ->
                        new IdleResult(begun.revision(), begun.lastResultNumber(), now.plus(pause), wait)));
    RolloutControl control = RolloutJson.readControl(row.control());
    boolean mayStart = control.mayStart();
    return new PassResult(
        row,
        spec,
        control,
        decisionResult.counts(),
        decisionResult.decision(),
        decisionResult.recheckAt(),
        mayStart ? concat(uncertain.started(), decisionResult.toStart()) : decisionResult.toStart(),
        mayStart ? concat(uncertain.proceeding(), decisionResult.toProceed()) : decisionResult.toProceed(),
        mayStart ? List.of() : uncertain.started(),
        mayStart ? List.of() : uncertain.proceeding(),
        rollback);
  }

  private static Duration pause(Duration took) {
    Duration share = took.multipliedBy(PAUSE_FACTOR);
    if (share.compareTo(RECHECK_INTERVAL) < 0) {
      return RECHECK_INTERVAL;
    }
    return share.compareTo(MAX_RECHECK_INTERVAL) < 0 ? share : MAX_RECHECK_INTERVAL;
  }

  private static List<TargetRow> concat(List<TargetRow> some, List<TargetRow> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /// What nobody needs to ask again yet.
  private Optional<Wait> stillWaiting(RolloutRow row, Instant now) {
    return idle
        .filter(last ->
            last.revision() == row.revision()
                && last.resultRevision() == row.lastResultNumber()
                && now.isBefore(last.until())
                && last.lastWait().until().filter(end -> !now.isBefore(end)).isEmpty())
        .map(IdleResult::lastWait);
  }
}
