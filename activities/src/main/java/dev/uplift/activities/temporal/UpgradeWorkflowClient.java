package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.UpdateResult.Completed;
import dev.uplift.activities.temporal.UpdateResult.NotRunning;
import dev.uplift.activities.temporal.UpdateResult.Rejected;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
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
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// Asks and steers running upgrades. Each call names the upgrade, so that no word meant for one
/// reaches the next one of the device.
public final class UpgradeWorkflowClient {
  private final WorkflowClient client;
  private final RunningUpgrades running;

  public UpgradeWorkflowClient(TemporalClients temporal) {
    this.client = temporal.requestClient();
    this.running = new RunningUpgrades(client);
  }

  /// What it does and what it waits for; empty if it does not run.
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

  public UpdateResult abort(DeviceId device, String upgrade, Operator by) {
    return update(device, upgrade, workflow -> workflow.abort(by));
  }

  public UpdateResult pause(DeviceId device, String upgrade, Operator by) {
    return update(device, upgrade, workflow -> workflow.pause(by));
  }

  public UpdateResult resume(DeviceId device, String upgrade, Operator by) {
    return update(device, upgrade, workflow -> workflow.resume(by));
  }

  public UpdateResult retryStep(DeviceId device, String upgrade, HostId host, Operator by) {
    return update(device, upgrade, workflow -> workflow.retryStep(host, by));
  }

  public UpdateResult skipHost(DeviceId device, String upgrade, HostId host, Operator by) {
    return update(device, upgrade, workflow -> workflow.skipHost(host, by));
  }

  public UpdateResult extendDeadline(
      DeviceId device, String upgrade, Instant notAfter, Operator by) {
    return update(device, upgrade, workflow -> workflow.extendDeadline(notAfter, by));
  }

  public UpdateResult approve(DeviceId device, String upgrade, Operator by) {
    return update(device, upgrade, workflow -> workflow.approve(by));
  }

  public UpdateResult deny(DeviceId device, String upgrade, Operator by) {
    return update(device, upgrade, workflow -> workflow.deny(by));
  }

  private UpdateResult update(
      DeviceId device, String upgrade, Function<DeviceUpgrade, String> update) {
    return RequestTimeout.withTimeout(() -> {
      Optional<DeviceUpgrade> workflow = find(device, upgrade);
      try {
        return workflow
            .<UpdateResult>map(found -> new Completed(update.apply(found)))
            .orElseGet(NotRunning::new);
      } catch (WorkflowNotFoundException _) {
        return new NotRunning();
      } catch (WorkflowUpdateException e) {
        return rejected(e);
      }
    });
  }

  private static UpdateResult rejected(WorkflowUpdateException e) {
    return e.getCause() instanceof ApplicationFailure failure
        ? new Rejected(failure.getOriginalMessage())
        // It closed while it was asked.
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
