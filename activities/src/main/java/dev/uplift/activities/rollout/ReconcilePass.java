package dev.uplift.activities.rollout;

import dev.uplift.activities.rollout.CandidateSearch.NoneFound;
import dev.uplift.activities.rollout.CandidateSearch.SearchBounds;
import dev.uplift.activities.rollout.CandidateSelector.CandidatePage;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.decision.RolloutSnapshot;
import dev.uplift.fleet.rollout.decision.WavePolicy;
import dev.uplift.fleet.rollout.decision.WaveStep;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.start.StartSelection;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetCounts;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.rollout.RolloutStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One pass over a rollout, in one transaction under the lock of its row: collects results, asks the policy, and marks
/// the devices that start. They are started after the pass, because the lock is not held during calls to Temporal.
/// Decisions that are not about devices are left to the workflow. For one activity execution.
final class ReconcilePass {
  /// While many devices are blocked, not every pass looks for one that may start.
  private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(5);

  /// The longer a search takes, as in a large fleet, the rarer it is, up to this.
  private static final Duration MAX_RECHECK_INTERVAL = Duration.ofMinutes(1);

  private static final int PAUSE_FACTOR = 50;

  private final RolloutRepositories repositories;
  private final RolloutId id;
  private final LockedRollout rollout;
  private final ResultCollector resultCollector;
  private final WaveHealthCheck healthCheck;
  private final DevicePresence devicePresence;
  private final OfflineDevices offlineDevices;
  private final SoakWatcher soakWatcher;
  private final CanaryReplacement canaryReplacement;
  private final WaveRollback waveRollback;
  private final CandidateSearch search;
  private Optional<OpenSearch> openSearch = Optional.empty();

  /// The last search for devices that may start, if it found none.
  private record IdleResult(long revision, long resultRevision, Instant until, Wait reason) {}

  /// A search that has to go on, after the lock is released.
  private record OpenSearch(RolloutRow row, RolloutPlan plan, Start limits) {}

  private Optional<IdleResult> idle = Optional.empty();
  private Instant nextHealthCheck = Instant.MIN;
  private Instant nextPrepareAhead = Instant.MIN;
  private Instant nextPresenceCheck = Instant.MIN;

  ReconcilePass(RolloutRepositories repositories, HostPresence presence, RolloutId id) {
    this(repositories, presence, id, SearchBounds.DEFAULTS);
  }

  ReconcilePass(RolloutRepositories repositories, HostPresence presence, RolloutId id, SearchBounds bounds) {
    this.repositories = repositories;
    this.id = id;
    this.rollout = new LockedRollout(repositories, id);
    this.resultCollector = new ResultCollector(repositories);
    this.healthCheck = new WaveHealthCheck(repositories, presence);
    this.devicePresence = new DevicePresence(repositories, presence);
    this.search = new CandidateSearch(bounds);
    this.offlineDevices = new OfflineDevices(repositories, devicePresence, id);
    this.canaryReplacement = new CanaryReplacement(repositories, devicePresence, id);
    this.waveRollback = new WaveRollback(repositories, id, devicePresence);
    this.soakWatcher = new SoakWatcher(repositories);
  }

  /// @param heartbeat called between the parts of a long search
  PassResult run(Instant now, Runnable heartbeat) {
    checkHealth(now);
    markHeard(now);
    PassResult result = repositories.database().inTransaction(() -> runLocked(now));
    openSearch.ifPresent(open -> searchOn(open, now, heartbeat));
    return result;
  }

  /// The status now, unless the rollout is at that revision.
  Optional<RolloutStatus> statusUnlessAt(long revision) {
    return isAt(revision)
        ? Optional.empty()
        : Optional.of(
            repositories
                .database()
                .inTransaction(() -> rollout.status(repositories.rollouts().lock(id).orElseThrow(), Instant.now())));
  }

  private boolean isAt(long revision) {
    return repositories.rollouts().find(id).filter(row -> row.revision() == revision).isPresent();
  }

  /// The more devices are offline, the rarer they are looked at.
  private void markHeard(Instant now) {
    if (!now.isBefore(nextPresenceCheck)) {
      long before = System.nanoTime();
      if (offlineDevices.markHeard(now)) {
        idle = Optional.empty();
      }
      Duration share = Duration.ofNanos(System.nanoTime() - before).multipliedBy(PAUSE_FACTOR);
      nextPresenceCheck = now.plus(share.compareTo(RECHECK_INTERVAL) < 0 ? share : RECHECK_INTERVAL);
    }
  }

  /// Without the lock: nothing is marked but devices that are offline, and a device that is found is looked at again.
  private void searchOn(OpenSearch open, Instant now, Runnable heartbeat) {
    var selector = new CandidateSelector(repositories, open.row(), open.plan(), devicePresence, now);
    search
        .searchOn(
            selector,
            open.limits(),
            open.plan().window(),
            now,
            () -> {
              heartbeat.run();
              return isAt(open.row().revision());
            },
            next -> offlineDevices.markOffline(selector.hostsOf(next.offline())))
        .ifPresent(none -> idle = Optional.of(idleResult(open.row(), none, now)));
  }

  private IdleResult idleResult(RolloutRow row, NoneFound none, Instant now) {
    int offline = repositories.statistics().targetCounts(id).all().offline();
    Wait wait = none.selection().withBlocked(offlineDevices.describeOthers(none.selection(), offline)).waitDecision();
    return new IdleResult(row.revision(), row.lastResultNumber(), now.plus(pause(none.spent())), wait);
  }

  private static Duration pause(Duration took) {
    Duration share = took.multipliedBy(PAUSE_FACTOR);
    if (share.compareTo(RECHECK_INTERVAL) < 0) {
      return RECHECK_INTERVAL;
    }
    return share.compareTo(MAX_RECHECK_INTERVAL) < 0 ? share : MAX_RECHECK_INTERVAL;
  }

  private PassResult runLocked(Instant now) {
    openSearch = Optional.empty();
    RolloutRow locked =
        repositories.rollouts().lock(id).orElseThrow(() -> new IllegalStateException("there is no rollout " + id));
    RolloutRow row = rollout.beginIfDue(locked, now);
    if (row.endedAt().isPresent() || row.currentWave() == 0) {
      return withoutWork(row, now);
    }
    RolloutSpec spec = RolloutJson.readSpec(row.plan());
    RolloutRules rules = RolloutJson.readRules(row.rules());
    List<TargetRow> uncertainStarts = repositories.queue().listInState(id, TargetState.STARTING);
    List<TargetRow> uncertainProceeds = repositories.queue().listInState(id, TargetState.PROCEEDING);
    resultCollector.collect(id, rules.retries());
    waveRollback.collect();
    waveRollback.advance(row);
    RolloutPlan plan = rules.applyTo(spec.plan());
    canaryReplacement.replace(rollout.row(), plan, now);
    return new MarkingPhase(rollout.row(), spec, plan, now).run(uncertainStarts, uncertainProceeds);
  }

  /// Of a rollout that has ended, or whose start time has not come.
  private PassResult withoutWork(RolloutRow row, Instant now) {
    String message = rollout.status(row, now).message();
    Decision decision =
        row.endedAt().isPresent()
            ? new Finish(row.outcome().orElse(RolloutOutcome.ABORTED), message)
            : new Wait(WaitReason.GATE_TIME, row.startAt(), message);
    return new PassResult(
        row,
        RolloutJson.readSpec(row.plan()),
        RolloutJson.readControl(row.control()),
        repositories.statistics().targetCounts(id),
        rollout.status(row, now),
        Optional.empty(),
        decision,
        row.startAt(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        WaveRollback.RollbackBatch.EMPTY,
        false);
  }

  /// Checks the upgraded devices of a wave that soaks. A wave may be large, so this is done without the lock.
  private void checkHealth(Instant now) {
    if (!now.isBefore(nextHealthCheck)) {
      nextHealthCheck = now.plus(RECHECK_INTERVAL);
      repositories
          .rollouts()
          .find(id)
          .filter(row -> row.endedAt().isEmpty() && row.currentWave() > 0)
          .ifPresent(row -> checkHealth(row, now));
    }
  }

  private void checkHealth(RolloutRow row, Instant now) {
    RolloutPlan plan = LockedRollout.plan(row);
    Duration soak = rollout.waveSpec(plan, row.currentWave()).soak();
    if (soak.isPositive()) {
      WaveHealthCheck.Report report = healthCheck.check(row, plan.thresholds().unhealthyAfter(), now);
      if (!report.unhealthy().isEmpty()) {
        repositories.targets().markUnhealthy(id, report.unhealthy());
      }
      report.recovered().forEach(device -> repositories.targets().markRecovered(id, device));
      Duration left = soakWatcher.record(row, soak, report, now);
      if (left.isPositive() && left.compareTo(RECHECK_INTERVAL) < 0) {
        nextHealthCheck = now.plus(left);
      }
    }
  }

  /// The second half of a pass: what has ended is collected.
  private final class MarkingPhase {
    private final RolloutRow row;
    private final RolloutSpec spec;
    private final RolloutPlan plan;
    private final Instant now;
    private final boolean mayPrepareAhead;
    private final List<TargetRow> toStart = new ArrayList<>();
    private List<TargetRow> toProceed = List.of();

    MarkingPhase(RolloutRow row, RolloutSpec spec, RolloutPlan plan, Instant now) {
      this.row = row;
      this.spec = spec;
      this.plan = plan;
      this.now = now;
      this.mayPrepareAhead = !now.isBefore(nextPrepareAhead);
      if (mayPrepareAhead) {
        nextPrepareAhead = now.plus(RECHECK_INTERVAL);
      }
    }

    PassResult run(List<TargetRow> uncertainStarts, List<TargetRow> uncertainProceeds) {
      WaveRollback.RollbackBatch rollback = waveRollback.markNext(row, plan, now);
      TargetCounts counts = repositories.statistics().targetCounts(id);
      RolloutSnapshot snapshot = rollout.snapshot(row, plan, counts, now);
      Decision policy = WavePolicy.decide(snapshot);
      Decision decision =
          switch (policy) {
            case Start limits -> start(limits, snapshot);
            case Wait wait -> recordWait(withRollbackWait(wait, rollback), snapshot);
            case Decision theWorkflows -> theWorkflows;
          };
      RolloutRow after = rollout.row();
      boolean marked = !toStart.isEmpty() || !toProceed.isEmpty();
      RolloutControl control = snapshot.control();
      boolean mayStart = control.mayStart() && snapshot.stopped().isEmpty();
      return new PassResult(
          after,
          spec,
          control,
          marked ? repositories.statistics().targetCounts(id) : counts,
          rollout.status(after, snapshot, now),
          WaveStep.of(policy, snapshot),
          decision,
          recheckAt(decision, snapshot),
          mayStart ? concat(uncertainStarts, toStart) : toStart,
          mayStart ? concat(uncertainProceeds, toProceed) : toProceed,
          mayStart ? List.of() : uncertainStarts,
          mayStart ? List.of() : uncertainProceeds,
          rollback,
          openSearch.isPresent());
    }

    private static Optional<Instant> recheckAt(Decision decision, RolloutSnapshot snapshot) {
      Optional<Instant> until = decision instanceof Wait wait ? wait.until() : Optional.<Instant>empty();
      return decision instanceof Wait
          ? Stream.of(until, snapshot.recheckAt()).flatMap(Optional::stream).min(Comparator.naturalOrder())
          : Optional.empty();
    }

    private static List<TargetRow> concat(List<TargetRow> some, List<TargetRow> more) {
      return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static Wait withRollbackWait(Wait wait, WaveRollback.RollbackBatch rollback) {
      return rollback
          .waitReason()
          .filter(_ -> wait.reason() == WaitReason.ROLLING_BACK)
          .map(blocked ->
              new Wait(wait.reason(), blocked.until(), "%s; %s".formatted(wait.message(), blocked.message())))
          .orElse(wait);
    }

    private Decision recordWait(Wait wait, RolloutSnapshot snapshot) {
      rollout.recordWait(row, wait, snapshot);
      return wait;
    }

    /// Marks the devices that start now, or records why none does.
    private Decision start(Start limits, RolloutSnapshot snapshot) {
      boolean ahead = mayPrepareAhead && limits.maxPreparing() > 0 && !plan.window().prepareAhead().isZero();
      if (limits.maxStarts() == 0 && !ahead) {
        return recordWait(allSlotsTaken(limits), snapshot);
      }
      Optional<Wait> still = stillWaiting();
      if (still.isPresent()) {
        return recordWait(still.get(), snapshot);
      }
      long before = System.nanoTime();
      var selector = new CandidateSelector(repositories, row, plan, devicePresence, now);
      CandidatePage page = search.nextPage(selector, limits);
      StartSelection next = selector.select(page, limits, snapshot.rules().soak());
      offlineDevices.markOffline(selector.hostsOf(next.offline()));
      idle = Optional.empty();
      if (next.isEmpty()) {
        return continueSearch(limits, page, next, snapshot, Duration.ofNanos(System.nanoTime() - before));
      }
      search.found();
      toStart.addAll(repositories.targets().markStarting(id, next.start(), false));
      toStart.addAll(repositories.targets().markStarting(id, next.prepare(), true));
      toProceed = repositories.targets().markProceeding(id, next.proceed());
      rollout.recordStart(row, limits, snapshot);
      return limits;
    }

    private Decision continueSearch(
        Start limits, CandidatePage page, StartSelection next, RolloutSnapshot snapshot, Duration took) {
      Optional<NoneFound> none = search.pass(page, next, took);
      if (limits.maxStarts() == 0) {
        // To prepare ahead is worth one page in each interval.
        return recordWait(allSlotsTaken(limits), snapshot);
      }
      if (none.isEmpty()) {
        openSearch = Optional.of(new OpenSearch(row, plan, limits));
        return next.waitDecision();
      }
      idle = none.map(found -> idleResult(row, found, now));
      return recordWait(idle.get().reason(), snapshot);
    }

    private static Wait allSlotsTaken(Start limits) {
      return new Wait(WaitReason.MAX_PARALLEL, Optional.empty(), limits.message());
    }

    /// The result of the last search, while it is too soon for another one.
    private Optional<Wait> stillWaiting() {
      return idle.filter(last ->
              last.revision() == row.revision()
                  && last.resultRevision() == row.lastResultNumber()
                  && now.isBefore(last.until())
                  && last.reason().until().filter(end -> !now.isBefore(end)).isEmpty())
          .map(IdleResult::reason);
    }
  }
}
