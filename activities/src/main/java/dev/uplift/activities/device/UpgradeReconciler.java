package dev.uplift.activities.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.WorkflowStatus;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.TimelineEntry;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.UpgradeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes the rows of upgrades whose workflow no longer can: it was terminated, or Temporal has forgotten it. Removes
/// commands from the stream that no host has acted on yet.
public final class UpgradeReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(UpgradeReconciler.class);
  private static final PageRequest PAGE = PageRequest.first(100);

  private final UpgradeRepository upgrades;
  private final CommandRepository commands;
  private final UpgradeWorkflowClient workflows;
  private final LatestCommandStream commandStream;
  private final Duration minAge;

  /// @param minAge rows younger than this are left alone
  UpgradeReconciler(
      UpgradeRepository upgrades,
      CommandRepository commands,
      UpgradeWorkflowClient workflows,
      LatestCommandStream commandStream,
      Duration minAge) {
    this.upgrades = upgrades;
    this.commands = commands;
    this.workflows = workflows;
    this.commandStream = commandStream;
    this.minAge = minAge;
  }

  /// Checks every row that has been open for a while. What is unavailable now is left to the next run; any number of
  /// servers may do this at once.
  public void run() {
    try {
      Optional<PageRequest> next = Optional.of(PAGE);
      while (next.isPresent()) {
        Page<UpgradeRow> page = upgrades.listRunning(next.get());
        Instant since = Instant.now().minus(minAge);
        page.rows().stream().filter(row -> row.startedAt().isBefore(since)).forEach(this::reconcile);
        next = PAGE.next(page);
      }
    } catch (TemporalUnavailable | DatabaseUnavailable | NatsUnavailable e) {
      LOG.debug("upgrades are reconciled later", e);
    }
  }

  /// A defect met at one row does not keep the others from being closed.
  private void reconcile(UpgradeRow row) {
    try {
      closeIfOver(row);
    } catch (TemporalUnavailable | DatabaseUnavailable | NatsUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("upgrade {} of {} cannot be closed", row.id(), row.device(), e);
    }
  }

  private void closeIfOver(UpgradeRow row) {
    switch (workflows.workflowStatus(row.device(), row.id())) {
      case WorkflowStatus.Running() -> {}
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

  /// Closes the row, unless the upgrade has ended by itself since the row was read.
  private void end(UpgradeRow row, UpgradeResult result) {
    String tenant = row.device().tenant();
    if (upgrades.find(tenant, row.id()).flatMap(UpgradeRow::end).isPresent()) {
      return;
    }
    upgrades.recordEnd(tenant, row.id(), UpgradeRowMapper.toRow(result));
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
