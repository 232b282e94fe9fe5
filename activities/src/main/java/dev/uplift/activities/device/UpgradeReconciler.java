package dev.uplift.activities.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.metrics.UpgradeMetrics;
import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.reconciler.FaultIsolation;
import dev.uplift.activities.reconciler.FaultIsolation.IsolatedPass;
import dev.uplift.activities.temporal.ActivityCompleter;
import dev.uplift.activities.temporal.ParallelRunner;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.StartedActivity;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.WorkflowStatus;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.LogContext;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.HeartbeatWait;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.store.command.TimelineEntry;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.reconciler.ReconcilerLeaseRepository;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes the rows of upgrades whose workflow no longer can: it was terminated, or Temporal has forgotten it. Removes
/// commands from the stream that no host has acted on yet. Reports workflows that do not continue. Takes steps from
/// servers that have begun them and are frozen or cut off since.
///
/// Of all servers one does this. Each run asks Temporal about some of the open upgrades, those first that were not
/// asked about for longest, and the next run continues there, on whichever server it is.
public final class UpgradeReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(UpgradeReconciler.class);
  private static final String LEASE = "upgrades";
  private static final int PAGE = 100;

  /// How many upgrades one run asks about at least: with fewer open ones each is asked about in every run.
  static final int MIN_PER_RUN = 500;

  /// However many are open, each is asked about once in this many runs.
  private static final int MAX_RUNS = 10;

  private final UpgradeRepository upgrades;
  private final CommandRepository commands;
  private final ReconcilerLeaseRepository leases;
  private final HeartbeatWaitRepository heartbeatWaits;
  private final UpgradeWorkflowClient workflows;
  private final ActivityCompleter activities;
  private final LatestCommandStream commandStream;
  private final FailingWorkflowMonitor failingWorkflows;
  private final UpgradeMetrics metrics;
  private final Duration interval;
  private final FaultIsolation isolation = new FaultIsolation("upgrade");
  private final String holder = UUID.randomUUID().toString();

  /// @param interval between two runs; upgrades and steps younger than this are left alone
  UpgradeReconciler(
      ReconciledTables tables,
      UpgradeWorkflowClient workflows,
      ActivityCompleter activities,
      LatestCommandStream commandStream,
      FailingWorkflowMonitor failingWorkflows,
      UpgradeMetrics metrics,
      Duration interval) {
    this.upgrades = tables.upgrades();
    this.commands = tables.commands();
    this.leases = tables.leases();
    this.heartbeatWaits = tables.heartbeatWaits();
    this.workflows = workflows;
    this.activities = activities;
    this.commandStream = commandStream;
    this.failingWorkflows = failingWorkflows;
    this.metrics = metrics;
    this.interval = interval;
  }

  /// The tables that it reads and writes.
  record ReconciledTables(
      UpgradeRepository upgrades,
      CommandRepository commands,
      HeartbeatWaitRepository heartbeatWaits,
      ReconcilerLeaseRepository leases) {}

  /// Asks about the next open upgrades, unless another server does. What is unavailable now is left to the next run.
  ///
  /// @throws dev.uplift.activities.reconciler.IncompletePass if one could not be reconciled; all others are
  public void run() {
    IsolatedPass pass = isolation.beginPass();
    try {
      // Longer than the time to the next run, so that servers do not take turns.
      leases
          .acquire(LEASE, holder, interval.multipliedBy(3).dividedBy(2))
          .ifPresent(position -> runFrom(position, pass));
    } catch (TemporalUnavailable | DatabaseUnavailable | NatsUnavailable e) {
      LOG.debug("upgrades are reconciled later", e);
    }
    pass.end();
  }

  private void runFrom(String position, IsolatedPass pass) {
    Instant before = Instant.now().minus(interval);
    long left = Math.max(MIN_PER_RUN, Math.ceilDiv(upgrades.countRunning(), MAX_RUNS));
    Optional<String> next = Optional.of(position);
    while (left > 0 && next.isPresent()) {
      Page<UpgradeRow> page = reconcilePage(next.get(), before, pass);
      left -= page.rows().size();
      next = page.next();
      leases.savePosition(LEASE, holder, next.orElse(""));
    }
  }

  /// Asks about all open upgrades, whatever another server does: for a server that has just started.
  ///
  /// @return whether it could; false while the database, Temporal or NATS is unavailable
  /// @throws dev.uplift.activities.reconciler.IncompletePass if one could not be reconciled; all others are
  public boolean runAll() {
    IsolatedPass pass = isolation.beginPass();
    try {
      Instant before = Instant.now().minus(interval);
      Optional<String> next = Optional.of("");
      while (next.isPresent()) {
        next = reconcilePage(next.get(), before, pass).next();
      }
    } catch (TemporalUnavailable | DatabaseUnavailable | NatsUnavailable e) {
      LOG.debug("upgrades are reconciled later", e);
      return false;
    }
    pass.end();
    return true;
  }

  /// @param before younger upgrades are left alone
  private Page<UpgradeRow> reconcilePage(String position, Instant before, IsolatedPass pass) {
    Optional<String> cursor = Optional.of(position).filter(saved -> !saved.isEmpty());
    Page<UpgradeRow> page = upgrades.listRunning(new PageRequest(cursor, PAGE));
    List<UpgradeRow> rows = page.rows().stream().filter(row -> row.startedAt().isBefore(before)).toList();
    // While Temporal is unavailable one call finds it out, and not a page of them.
    rows.stream().limit(1).forEach(row -> reconcile(row, pass));
    ParallelRunner.run(rows.stream().skip(1).toList(), row -> reconcile(row, pass), () -> {});
    return page;
  }

  private void reconcile(UpgradeRow row, IsolatedPass pass) {
    try (LogContext _ = LogContext.ofUpgrade(row.device().tenant(), row.device().name(), row.id())) {
      pass.run(row.id(), () -> closeIfOver(row));
    }
  }

  private void closeIfOver(UpgradeRow row) {
    switch (workflows.workflowStatus(row.device(), row.id())) {
      case WorkflowStatus.Running(boolean failing, List<StartedActivity> started) -> {
        if (failing) {
          failingWorkflows.check(row.device().tenant(), UpgradePlan.workflowId(row.device()));
        }
        retryStalled(row, started);
      }
      case WorkflowStatus.Completed(UpgradeResult result) -> end(row, result);
      case WorkflowStatus.Lost(String code, String text) -> {
        List<CommandRow> sent =
            commands.timeline(row.device().tenant(), row.id()).stream()
                .map(TimelineEntry::row)
                .filter(sentRow -> !sentRow.isWithdrawn())
                .toList();
        withdraw(sent);
        end(row, resultOfLostWorkflow(row, sent, new Reason(Reason.Kind.ABORT, code, text)));
      }
    }
  }

  /// A server publishes the command of a step, or registers what it waits for, as soon as it is given the step. One
  /// that has done neither by now never will, or only late: to do it twice has no effect.
  private void retryStalled(UpgradeRow row, List<StartedActivity> started) {
    Instant before = Instant.now().minus(interval);
    List<StartedActivity> old = started.stream().filter(activity -> activity.since().isBefore(before)).toList();
    if (old.isEmpty()) {
      return;
    }
    Set<WaitingActivity> waiting = waitingActivities(row);
    for (StartedActivity activity : old) {
      if (!waiting.contains(activity.activity())
          && activities.failAttempt(
              activity.activity(), "%s has not begun it since %s".formatted(activity.server(), activity.since()))) {
        LOG.warn("a step of upgrade {} of {} is taken from {}", row.id(), row.device(), activity.server());
      }
    }
  }

  /// Those that a host's answer or heartbeat will complete.
  private Set<WaitingActivity> waitingActivities(UpgradeRow row) {
    String tenant = row.device().tenant();
    Stream<WaitingActivity> forAnswers =
        commands.timeline(tenant, row.id()).stream()
            .map(TimelineEntry::row)
            .filter(command -> command.publishedAt().isPresent())
            .flatMap(command -> command.waiter().stream());
    Stream<WaitingActivity> forHeartbeats =
        RecordedPlan.read(row.plan()).map(RecordedPlan::hosts).orElse(List.of()).stream()
            .flatMap(host -> heartbeatWaits.find(tenant, host).stream())
            .map(HeartbeatWait::waiter);
    return Stream.concat(forAnswers, forHeartbeats).collect(Collectors.toSet());
  }

  /// Closes the row, unless the upgrade has ended by itself since the row was read.
  private void end(UpgradeRow row, UpgradeResult result) {
    String tenant = row.device().tenant();
    if (upgrades.find(tenant, row.id()).flatMap(UpgradeRow::end).isPresent()) {
      return;
    }
    upgrades.recordEnd(tenant, row.id(), UpgradeRowMapper.toRow(result));
    metrics.countEnd(result.outcome());
    if (upgrades.findRunning(tenant, row.device().name()).isEmpty()) {
      List<HostId> hosts = result.hosts().stream().map(HostReport::host).toList();
      heartbeatWaits.removeOf(tenant, hosts, UpgradePlan.workflowId(row.device()));
    }
    LOG.warn("upgrade {} of {} is closed as {}", row.id(), row.device(), result.outcome());
  }

  /// Removes the commands without an outcome: no workflow waits for it any more.
  private void withdraw(List<CommandRow> sent) {
    sent.stream()
        .filter(entry -> entry.outcome().isEmpty())
        .forEach(entry -> {
          String host = Subjects.hostAddress(entry.tenant(), entry.host().value());
          Set<String> ids =
              Stream.concat(Stream.of(entry.id()), entry.cancelledBy().stream()).collect(Collectors.toSet());
          commandStream.purge(host, ids);
        });
  }

  private static UpgradeResult resultOfLostWorkflow(UpgradeRow row, List<CommandRow> sent, Reason reason) {
    // A rollback on failure comes after its upgrade.
    Step begins = row.revertOf().isPresent() ? Step.ROLLBACK : Step.UPGRADE;
    Set<HostId> touched =
        sent.stream().filter(entry -> entry.step() == begins).map(entry -> entry.host()).collect(Collectors.toSet());
    List<HostReport> hosts =
        RecordedPlan.read(row.plan()).map(RecordedPlan::hosts).orElse(List.of()).stream()
            .map(host ->
                new HostReport(
                    host,
                    touched.contains(host) ? Progress.CHANGED : Progress.UNCHANGED,
                    lastVersion(host, sent),
                    false,
                    Optional.empty(),
                    versionBefore(host, sent)))
            .toList();
    return new UpgradeResult(Outcome.ofTerminated(!touched.isEmpty()), Optional.of(reason), hosts);
  }

  /// The version that the host reported when it was prepared.
  private static Optional<String> versionBefore(HostId host, List<CommandRow> sent) {
    return sent.stream()
        .filter(entry -> entry.host().equals(host) && entry.step() == Step.PREPARE)
        .flatMap(entry -> entry.outcome().stream())
        .map(outcome -> Event.read(outcome.getBytes(UTF_8)).version())
        .findFirst();
  }

  /// The version that the host reported last.
  private static String lastVersion(HostId host, List<CommandRow> sent) {
    return sent.stream()
        .filter(entry -> entry.host().equals(host) && entry.outcome().isPresent())
        .max(Comparator.comparingLong(CommandRow::epoch))
        .flatMap(CommandRow::outcome)
        .map(outcome -> Event.read(outcome.getBytes(UTF_8)).version())
        .orElse(HostState.UNKNOWN);
  }
}
