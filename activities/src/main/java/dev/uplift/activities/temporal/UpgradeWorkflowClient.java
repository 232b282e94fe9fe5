package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.UpdateResult.Completed;
import dev.uplift.activities.temporal.UpdateResult.NotRunning;
import dev.uplift.activities.temporal.UpdateResult.Rejected;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.fleet.UpgradeAction.Abort;
import dev.uplift.fleet.UpgradeAction.Approve;
import dev.uplift.fleet.UpgradeAction.Deny;
import dev.uplift.fleet.UpgradeAction.ExtendDeadline;
import dev.uplift.fleet.UpgradeAction.Pause;
import dev.uplift.fleet.UpgradeAction.Resume;
import dev.uplift.fleet.UpgradeAction.RetryStep;
import dev.uplift.fleet.UpgradeAction.SkipHost;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowQueryException;
import io.temporal.client.WorkflowTargetOptions;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/// Queries and updates running upgrades. Each call names the upgrade, so that an action on one
/// never reaches the next one of its device.
@Singleton
public final class UpgradeWorkflowClient {
  private final WorkflowClient client;
  private final RunningUpgrades running;

  public UpgradeWorkflowClient(TemporalClients temporal) {
    this.client = temporal.requestClient();
    this.running = new RunningUpgrades(client);
  }

  /// Returns what the upgrade does and waits for; empty if it does not run.
  public Optional<UpgradeStatus> status(DeviceId device, String upgrade) {
    return RequestTimeout.withTimeout(() ->
        find(device, upgrade)
            .flatMap(workflow -> {
              try {
                return Optional.of(workflow.status());
              } catch (WorkflowNotFoundException _) {
                return Optional.empty();
              } catch (WorkflowQueryException e) {
                throw TemporalClients.unavailable(e);
              }
            }));
  }

  /// Has the upgrade carry out the action, or refuse it.
  public UpdateResult update(DeviceId device, String upgrade, UpgradeAction action, Operator by) {
    return RequestTimeout.withTimeout(() -> {
      try {
        return find(device, upgrade)
            .<UpdateResult>map(workflow -> new Completed(update(workflow, action, by)))
            .orElseGet(NotRunning::new);
      } catch (WorkflowNotFoundException _) {
        return new NotRunning();
      } catch (WorkflowUpdateException e) {
        return rejected(e);
      }
    });
  }

  private static String update(DeviceUpgrade workflow, UpgradeAction action, Operator by) {
    return switch (action) {
      case Abort() -> workflow.abort(by);
      case Pause() -> workflow.pause(by);
      case Resume() -> workflow.resume(by);
      case RetryStep(HostId host) -> workflow.retryStep(host, by);
      case SkipHost(HostId host) -> workflow.skipHost(host, by);
      case ExtendDeadline(Instant notAfter) -> workflow.extendDeadline(notAfter, by);
      case Approve _ -> workflow.approve(by);
      case Deny _ -> workflow.deny(by);
    };
  }

  private static UpdateResult rejected(WorkflowUpdateException e) {
    return e.getCause() instanceof ApplicationFailure failure
        ? new Rejected(failure.getOriginalMessage())
        // It closed meanwhile.
        : new NotRunning();
  }

  private Optional<DeviceUpgrade> find(DeviceId device, String upgrade) {
    return running
        .findOpen(device)
        .filter(run -> run.upgrade().equals(upgrade))
        .map(run ->
            client.newWorkflowStub(
                DeviceUpgrade.class,
                WorkflowTargetOptions.newBuilder()
                    .setWorkflowId(UpgradePlan.workflowId(device))
                    .setRunId(run.runId())
                    .build()));
  }
}
