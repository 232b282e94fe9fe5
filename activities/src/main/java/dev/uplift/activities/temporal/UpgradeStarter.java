package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.StartResult.AlreadyRunning;
import dev.uplift.activities.temporal.StartResult.DeviceBusy;
import dev.uplift.activities.temporal.StartResult.Started;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeWorkflowOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;

/// Starts upgrades. The workflow comes first and writes the row: what is started but not recorded
/// cannot be.
public final class UpgradeStarter {
  private final WorkflowClient client;
  private final RunningUpgrades running;

  public UpgradeStarter(TemporalClients temporal) {
    this.client = temporal.requestClient();
    this.running = new RunningUpgrades(client);
  }

  /// Safe to repeat: the same upgrade id is the same upgrade. One that has ended by now runs again,
  /// finds how it ended, and does nothing; whoever knows that it has ended need not start it.
  ///
  /// @throws TemporalUnavailable when it may or may not have been started
  public StartResult start(UpgradePlan plan) {
    return TemporalClients.call(() -> {
      try {
        startWorkflow(plan);
        return new Started();
      } catch (WorkflowExecutionAlreadyStarted _) {
        return existing(plan);
      }
    });
  }

  private StartResult existing(UpgradePlan plan) {
    String found = running.findOpen(plan.device()).map(RunningUpgrades.Run::upgrade).orElse("");
    if (found.isEmpty()) {
      // It has just ended.
      startWorkflow(plan);
      return new Started();
    }
    return found.equals(plan.upgrade()) ? new AlreadyRunning() : new DeviceBusy(found);
  }

  private void startWorkflow(UpgradePlan plan) {
    WorkflowClient.start(
        client.newWorkflowStub(DeviceUpgrade.class, UpgradeWorkflowOptions.of(plan))::run, plan);
  }
}
