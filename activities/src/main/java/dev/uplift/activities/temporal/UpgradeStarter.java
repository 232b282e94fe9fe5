package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.StartResult.AlreadyRunning;
import dev.uplift.activities.temporal.StartResult.DeviceBusy;
import dev.uplift.activities.temporal.StartResult.Started;
import dev.uplift.fleet.DeviceId;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import dev.uplift.workflows.device.UpgradeWorkflowOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowTargetOptions;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Starts upgrades. The workflow comes first, and its first activity writes the row unless it is
/// there: no upgrade runs without one.
@Singleton
public final class UpgradeStarter {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final WorkflowClient client;
  private final RunningUpgrades running;

  public UpgradeStarter(TemporalClients temporal) {
    this.client = temporal.requestClient();
    this.running = new RunningUpgrades(client);
  }

  /// Safe to repeat: the same upgrade id is the same upgrade. One that has ended by now runs again,
  /// finds how it ended, and does nothing.
  ///
  /// @throws TemporalUnavailable if it may or may not have been started
  public StartResult start(UpgradePlan plan) {
    return TemporalClients.call(() -> {
      try {
        return startWorkflow(plan);
      } catch (WorkflowExecutionAlreadyStarted _) {
        return existing(plan);
      }
    });
  }

  private StartResult existing(UpgradePlan plan) {
    Optional<RunningUpgrades.Run> found = running.findOpen(plan.device());
    if (found.isEmpty()) {
      // It has just ended.
      return startWorkflow(plan);
    }
    return found.get().upgrade().equals(plan.upgrade())
        ? new AlreadyRunning(found.get().runId())
        : new DeviceBusy(found.get().upgrade());
  }

  private Started startWorkflow(UpgradePlan plan) {
    DeviceUpgrade workflow =
        client.newWorkflowStub(DeviceUpgrade.class, UpgradeWorkflowOptions.of(plan));
    return new Started(WorkflowClient.start(workflow::run, plan).getRunId());
  }

  /// Blocks until the workflow of the upgrade has closed, a few seconds at most: the records have
  /// the end of an upgrade a moment before Temporal does.
  public void awaitClosed(DeviceId device, String upgrade) {
    TemporalClients.call(() ->
        running
            .findOpen(device)
            .filter(run -> run.upgrade().equals(upgrade))
            .map(run -> awaitClosed(UpgradePlan.workflowId(device), run.runId())));
  }

  private boolean awaitClosed(String workflowId, String runId) {
    try {
      var _ =
          client
              .newUntypedWorkflowStub(
                  WorkflowTargetOptions.newBuilder()
                      .setWorkflowId(workflowId)
                      .setRunId(runId)
                      .build())
              .getResult(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS, UpgradeResult.class);
      return true;
    } catch (WorkflowFailedException _) {
      return true;
    } catch (TimeoutException _) {
      return false;
    }
  }
}
