package dev.uplift.api.upgrades;

import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.api.hosts.PresenceView;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Phase;
import dev.uplift.services.presence.Presence;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.reconciler.FailingWorkflow;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Creates views of upgrades from tables, workflows and presence.
@Singleton
final class UpgradeViews {
  private final UpgradeWorkflowClient control;
  private final CommandRepository commands;
  private final FailingWorkflowRepository failingWorkflows;
  private final Presence presence;
  private final TemporalUiLinks temporalUi;

  UpgradeViews(
      UpgradeWorkflowClient control,
      CommandRepository commands,
      FailingWorkflowRepository failingWorkflows,
      Presence presence,
      TemporalUiLinks temporalUi) {
    this.control = control;
    this.commands = commands;
    this.failingWorkflows = failingWorkflows;
    this.presence = presence;
    this.temporalUi = temporalUi;
  }

  /// Returns a view for lists and new upgrades, from the row only.
  UpgradeView summary(UpgradeRow row) {
    return view(row, LiveStatus.SUMMARY);
  }

  UpgradeView full(UpgradeRow row) {
    return view(row, row.end().map(LiveStatus::ended).orElseGet(() -> liveStatus(row)));
  }

  /// The part of a running upgrade that is not in its row.
  private record LiveStatus(
      boolean isFull,
      Optional<String> phase,
      Optional<Instant> notAfter,
      Optional<ReasonView> reason,
      Optional<String> pausedBy,
      Optional<List<HostProgressView>> hosts,
      Optional<List<UpgradeWaitView>> waiting,
      Optional<String> unavailable) {
    static final LiveStatus SUMMARY = empty(false, Optional.empty(), Optional.empty());

    static LiveStatus empty(boolean isWhole, Optional<Phase> phase, Optional<String> notKnown) {
      return new LiveStatus(
          isWhole,
          phase.map(Phase::toString),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          notKnown);
    }

    static LiveStatus ended(UpgradeEnd end) {
      return new LiveStatus(
          true,
          Optional.of(Phase.ENDED.toString()),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(EndedHostsReader.read(end.hostReports())),
          Optional.of(List.of()),
          Optional.empty());
    }
  }

  private LiveStatus liveStatus(UpgradeRow row) {
    try {
      return control
          .status(row.device(), row.id())
          .map(upgradeStatus -> liveStatus(row.device().tenant(), upgradeStatus))
          // Started a moment ago, or its end is not in the tables yet.
          .orElseGet(() -> LiveStatus.empty(true, Optional.empty(), Optional.empty()));
    } catch (TemporalUnavailable e) {
      String why = "phase, hosts and waiting: " + e.getMessage();
      return LiveStatus.empty(true, Optional.empty(), Optional.of(why));
    }
  }

  private LiveStatus liveStatus(String tenant, UpgradeStatus upgradeStatus) {
    return new LiveStatus(
        true,
        Optional.of(upgradeStatus.phase().toString()),
        Optional.of(upgradeStatus.state().notAfter()),
        upgradeStatus.reason().map(ReasonView::of),
        upgradeStatus.pausedBy().map(Operator::describe),
        Optional.of(
            upgradeStatus.hosts().stream()
                .map(report -> HostProgressView.of(report, Optional.of(presence(tenant, report.host()))))
                .toList()),
        Optional.of(
            upgradeStatus.waits().stream()
                .map(pendingWait -> UpgradeWaitView.of(pendingWait, presence(tenant, pendingWait.host())))
                .toList()),
        Optional.empty());
  }

  private PresenceView presence(String tenant, HostId host) {
    return PresenceView.of(presence.status(tenant, host));
  }

  private UpgradeView view(UpgradeRow row, LiveStatus liveStatus) {
    Optional<StoredUpgradePlan> plan = Optional.of(row).filter(_ -> liveStatus.isFull).map(StoredUpgradePlan::of);
    return new UpgradeView(
        row.id(),
        row.device().name(),
        row.release().packageName(),
        row.release().version(),
        row.revertOf(),
        row.end().map(end -> ValueReaders.enumWord(end.outcome())),
        row.end().flatMap(UpgradeEnd::reason).map(ReasonView::of).or(() -> liveStatus.reason),
        row.startedBy(),
        row.startedAt(),
        row.endedAt(),
        temporalUi.upgrade(row),
        liveStatus.phase,
        plan.flatMap(StoredUpgradePlan::rollbackScope),
        plan.flatMap(StoredUpgradePlan::allowDowngrade),
        liveStatus.notAfter.or(() -> plan.flatMap(StoredUpgradePlan::notAfter)),
        plan.flatMap(StoredUpgradePlan::onClose),
        plan.flatMap(StoredUpgradePlan::stepTimeouts),
        liveStatus.pausedBy,
        liveStatus.hosts,
        liveStatus.waiting,
        liveStatus.isFull ? Optional.of(timeline(row)) : Optional.empty(),
        liveStatus.isFull && row.end().isEmpty() ? failingWorkflow(row) : Optional.empty(),
        liveStatus.unavailable);
  }

  private Optional<String> failingWorkflow(UpgradeRow row) {
    return failingWorkflows
        .find(row.device().tenant(), UpgradePlan.workflowId(row.device()))
        .map(FailingWorkflow::describe);
  }

  /// Returns every command of the upgrade, in order.
  List<CommandView> timeline(UpgradeRow row) {
    return commands.timeline(row.device().tenant(), row.id()).stream().map(CommandView::of).toList();
  }
}
