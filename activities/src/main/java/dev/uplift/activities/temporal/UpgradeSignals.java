package dev.uplift.activities.temporal;

import dev.uplift.fleet.DeviceId;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.DeviceUpgrade.ProceedSignal;
import dev.uplift.workflows.device.UpgradePlan;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowTargetOptions;
import jakarta.inject.Singleton;

/// Gives running upgrades a word that they wait for. Nobody waits for an answer: what Temporal has
/// taken is heard, and an upgrade without a worker holds up nobody.
@Singleton
public final class UpgradeSignals {
  private final WorkflowClient client;
  private final RunningUpgrades running;
  private final UpgradeWorkflowClient upgradeClient;

  public UpgradeSignals(TemporalClients temporal) {
    this.client = temporal.requestClient();
    this.running = new RunningUpgrades(client);
    this.upgradeClient = new UpgradeWorkflowClient(temporal);
  }

  public UpgradeWorkflowClient upgradeClient() {
    return upgradeClient;
  }

  /// The upgrade may go on. Safe to repeat; one that does not run is not told.
  ///
  /// @throws TemporalUnavailable when it may or may not have been told
  public void proceed(DeviceId device, String upgrade, ProceedSignal signal) {
    TemporalClients.call(() ->
        running
            .findOpen(device)
            .filter(run -> run.upgrade().equals(upgrade))
            .map(run -> send(() -> stub(device, run.runId()).proceed(signal)))
            .orElse(false));
  }

  /// Windows that the upgrade may wait for have changed. One that does not run is not told.
  ///
  /// @throws TemporalUnavailable when it may or may not have been told
  public void recheck(DeviceId device) {
    TemporalClients.call(() ->
        send(() ->
            client.newWorkflowStub(DeviceUpgrade.class, UpgradePlan.workflowId(device)).recheck()));
  }

  private DeviceUpgrade stub(DeviceId device, String run) {
    return client.newWorkflowStub(
        DeviceUpgrade.class,
        WorkflowTargetOptions.newBuilder()
            .setWorkflowId(UpgradePlan.workflowId(device))
            .setRunId(run)
            .build());
  }

  private static boolean send(Runnable signal) {
    try {
      signal.run();
      return true;
    } catch (WorkflowNotFoundException _) {
      return false;
    }
  }
}
