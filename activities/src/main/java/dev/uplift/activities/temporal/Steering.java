package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.Steered.Done;
import dev.uplift.activities.temporal.Steered.Over;
import dev.uplift.activities.temporal.Steered.Refused;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.Status;
import dev.uplift.workflows.device.UpgradePlan;
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
public final class Steering {
  private final WorkflowClient client;
  private final Upgrading running;

  public Steering(TemporalLink temporal) {
    this.client = temporal.requestClient();
    this.running = new Upgrading(client);
  }

  /// What it does and what it waits for; empty if it does not run.
  public Optional<Status> status(DeviceId device, String upgrade) {
    return Patience.inTime(() ->
        find(device, upgrade)
            .flatMap(workflow -> {
              try {
                return Optional.of(workflow.status());
              } catch (WorkflowNotFoundException _) {
                return Optional.empty();
              } catch (WorkflowQueryException e) {
                throw TemporalLink.away(e);
              }
            }));
  }

  public Steered abort(DeviceId device, String upgrade, Operator by) {
    return steer(device, upgrade, workflow -> workflow.abort(by));
  }

  public Steered pause(DeviceId device, String upgrade, Operator by) {
    return steer(device, upgrade, workflow -> workflow.pause(by));
  }

  public Steered resume(DeviceId device, String upgrade, Operator by) {
    return steer(device, upgrade, workflow -> workflow.resume(by));
  }

  public Steered retryStep(DeviceId device, String upgrade, HostId host, Operator by) {
    return steer(device, upgrade, workflow -> workflow.retryStep(host, by));
  }

  public Steered skipHost(DeviceId device, String upgrade, HostId host, Operator by) {
    return steer(device, upgrade, workflow -> workflow.skipHost(host, by));
  }

  public Steered extendDeadline(DeviceId device, String upgrade, Instant notAfter, Operator by) {
    return steer(device, upgrade, workflow -> workflow.extendDeadline(notAfter, by));
  }

  public Steered approve(DeviceId device, String upgrade, Operator by) {
    return steer(device, upgrade, workflow -> workflow.approve(by));
  }

  public Steered deny(DeviceId device, String upgrade, Operator by) {
    return steer(device, upgrade, workflow -> workflow.deny(by));
  }

  private Steered steer(DeviceId device, String upgrade, Function<DeviceUpgrade, String> update) {
    return Patience.inTime(() -> {
      Optional<DeviceUpgrade> workflow = find(device, upgrade);
      try {
        return workflow.<Steered>map(found -> new Done(update.apply(found))).orElseGet(Over::new);
      } catch (WorkflowNotFoundException _) {
        return new Over();
      } catch (WorkflowUpdateException e) {
        return refused(e);
      }
    });
  }

  private static Steered refused(WorkflowUpdateException e) {
    return e.getCause() instanceof ApplicationFailure failure
        ? new Refused(failure.getOriginalMessage())
        // It closed while it was asked.
        : new Over();
  }

  private Optional<DeviceUpgrade> find(DeviceId device, String upgrade) {
    return running
        .of(device)
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
