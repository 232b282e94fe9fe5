package dev.uplift.activities.temporal;

import dev.uplift.fleet.DeviceId;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.Go;
import dev.uplift.workflows.device.UpgradePlan;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowTargetOptions;

/// Gives running upgrades a word that they wait for. Nobody waits for an answer: what Temporal has
/// taken is heard, and an upgrade without a worker holds up nobody.
public final class Proceeding {
  private final WorkflowClient client;
  private final Upgrading running;
  private final Steering steering;

  public Proceeding(TemporalLink temporal) {
    this.client = temporal.requestClient();
    this.running = new Upgrading(client);
    this.steering = new Steering(temporal);
  }

  public Steering steering() {
    return steering;
  }

  /// The upgrade may go on. Safe to repeat; one that does not run is not told.
  ///
  /// @throws TemporalAway when it may or may not have been told
  public void proceed(DeviceId device, String upgrade, Go go) {
    TemporalLink.asking(() ->
        running
            .of(device)
            .filter(run -> run.upgrade().equals(upgrade))
            .map(run -> tell(() -> stub(device, run.runId()).proceed(go)))
            .orElse(false));
  }

  /// Windows that the upgrade may wait for have changed. One that does not run is not told.
  ///
  /// @throws TemporalAway when it may or may not have been told
  public void lookAgain(DeviceId device) {
    TemporalLink.asking(() ->
        tell(() ->
            client
                .newWorkflowStub(DeviceUpgrade.class, UpgradePlan.workflowId(device))
                .lookAgain()));
  }

  private DeviceUpgrade stub(DeviceId device, String run) {
    return client.newWorkflowStub(
        DeviceUpgrade.class,
        WorkflowTargetOptions.newBuilder()
            .setWorkflowId(UpgradePlan.workflowId(device))
            .setRunId(run)
            .build());
  }

  private static boolean tell(Runnable signal) {
    try {
      signal.run();
      return true;
    } catch (WorkflowNotFoundException _) {
      return false;
    }
  }
}
