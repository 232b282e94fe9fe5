package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.Start.Busy;
import dev.uplift.activities.temporal.Start.Same;
import dev.uplift.activities.temporal.Start.Started;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeStart;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;

/// Starts upgrades. The workflow comes first and writes the row: what is started but not recorded
/// cannot be.
public final class UpgradeStarter {
  private final WorkflowClient client;
  private final Upgrading running;

  public UpgradeStarter(TemporalLink temporal) {
    this.client = temporal.requestClient();
    this.running = new Upgrading(client);
  }

  /// Safe to repeat: the same upgrade id is the same upgrade. One that has ended by now runs again,
  /// finds how it ended, and does nothing; whoever knows that it has ended need not start it.
  ///
  /// @throws TemporalAway when it may or may not have been started
  public Start start(UpgradePlan plan) {
    return TemporalLink.asking(() -> {
      try {
        begin(plan);
        return new Started();
      } catch (WorkflowExecutionAlreadyStarted _) {
        return inTheWay(plan);
      }
    });
  }

  private Start inTheWay(UpgradePlan plan) {
    String found = running.of(plan.device()).map(Upgrading.Run::upgrade).orElse("");
    if (found.isEmpty()) {
      // It has just ended.
      begin(plan);
      return new Started();
    }
    return found.equals(plan.upgrade()) ? new Same() : new Busy(found);
  }

  private void begin(UpgradePlan plan) {
    WorkflowClient.start(
        client.newWorkflowStub(DeviceUpgrade.class, UpgradeStart.options(plan))::run, plan);
  }
}
