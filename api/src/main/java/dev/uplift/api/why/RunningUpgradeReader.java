package dev.uplift.api.why;

import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.why.ExplanationFacts.RunningUpgrade;
import dev.uplift.fleet.why.ExplanationFacts.StepWait;
import dev.uplift.fleet.why.ExplanationFacts.WaitSubject;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.store.reconciler.FailingWorkflow;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// Reads the upgrade of a device that runs, from tables and its workflow. Says less while Temporal is unavailable.
@Singleton
final class RunningUpgradeReader {
  private final UpgradeRepository upgrades;
  private final UpgradeWorkflowClient workflows;
  private final FailingWorkflowRepository failingWorkflows;

  RunningUpgradeReader(
      UpgradeRepository upgrades, UpgradeWorkflowClient workflows, FailingWorkflowRepository failingWorkflows) {
    this.upgrades = upgrades;
    this.workflows = workflows;
    this.failingWorkflows = failingWorkflows;
  }

  Optional<RunningUpgrade> find(DeviceId device) {
    return upgrades
        .findRunning(device.tenant(), device.name())
        .flatMap(id -> upgrades.find(device.tenant(), id))
        .filter(UpgradeRow::isRunning)
        .map(this::read);
  }

  private RunningUpgrade read(UpgradeRow row) {
    Optional<UpgradeStatus> status = Optional.empty();
    Optional<String> unavailable = Optional.empty();
    try {
      status = workflows.status(row.device(), row.id());
    } catch (TemporalUnavailable e) {
      unavailable = Optional.of(String.valueOf(e.getMessage()));
    }
    return new RunningUpgrade(
        row.id(),
        row.packageName(),
        row.version(),
        row.revertOf().isPresent(),
        row.startedBy(),
        row.startedAt(),
        RecordedPlan.read(row.plan()).flatMap(RecordedPlan::rollout),
        status.map(UpgradeStatus::phase).map(Object::toString),
        status.flatMap(UpgradeStatus::pausedBy).map(Operator::describe),
        status.flatMap(UpgradeStatus::reason),
        status.map(UpgradeStatus::waits).orElse(List.of()).stream().map(RunningUpgradeReader::read).toList(),
        failingWorkflows.find(row.tenant(), UpgradePlan.workflowId(row.device())).map(FailingWorkflow::describe),
        unavailable);
  }

  private static StepWait read(PendingWait wait) {
    WaitSubject subject =
        switch (wait.reason()) {
          case RESULT, HEARTBEAT -> WaitSubject.HOST_WORK;
          case OFFLINE -> WaitSubject.HOST_OFFLINE;
          case PRESENCE -> WaitSubject.PRESENCE;
          case PERSON -> WaitSubject.DECISION;
          case RESUME -> WaitSubject.RESUME;
          case APPROVAL -> WaitSubject.APPROVAL;
          case PROCEED -> WaitSubject.ROLLOUT;
          case WINDOW -> WaitSubject.WINDOW;
          case BACK_OFF -> WaitSubject.BACK_OFF;
          case SOAK -> WaitSubject.SOAK;
        };
    return new StepWait(subject, wait.step().toString(), wait.host(), wait.message(), wait.since(), wait.until());
  }
}
