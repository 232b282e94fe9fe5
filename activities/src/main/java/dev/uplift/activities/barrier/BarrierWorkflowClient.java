package dev.uplift.activities.barrier;

import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.workflows.barrier.Barrier;
import dev.uplift.workflows.barrier.BarrierInput;
import dev.uplift.workflows.barrier.BarrierRequest;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;

/// Starts the workflows of barriers and sends them requests. All calls throw
/// [dev.uplift.activities.temporal.TemporalUnavailable] if it is unknown whether Temporal did what was asked.
@Singleton
public final class BarrierWorkflowClient {
  private static final String UPDATE_NAME = "act";

  private final WorkflowClient client;

  public BarrierWorkflowClient(TemporalClients temporal) {
    this.client = temporal.requestClient();
  }

  /// Starts the workflow unless it runs. Safe to repeat. The row is written first, so the reconciler finds a barrier
  /// that was not started because of a kill; one whose workflow was terminated goes on from its row.
  public void start(BarrierRow row) {
    var input =
        new BarrierInput(
            row.tenant(), row.name(), row.packageName(), BarrierJson.read(row.spec()).migratedDevice(), row.untilAt());
    Barrier workflow = client.newWorkflowStub(Barrier.class, input.workflowOptions());
    TemporalClients.startUnlessStarted(() -> WorkflowClient.start(workflow::run, input));
  }

  public boolean isRunning(BarrierId id) {
    return TemporalClients.isRunning(client, BarrierInput.workflowId(id.tenant(), id.name()));
  }

  /// Sends a request as an Update and returns its result. Safe to repeat with the same id.
  public UpdateResult update(BarrierId id, BarrierRequest request) {
    return TemporalClients.callWithTimeout(() -> {
      try {
        String refusal =
            stub(id)
                .startUpdate(
                    UpdateOptions.newBuilder(String.class)
                        .setUpdateName(UPDATE_NAME)
                        .setUpdateId(request.id())
                        .setWaitForStage(WorkflowUpdateStage.COMPLETED)
                        .build(),
                    request)
                .getResult();
        return refusal.isEmpty()
            ? new UpdateResult.Completed(request.action().toString())
            : new UpdateResult.Rejected(refusal);
      } catch (WorkflowUpdateException e) {
        return e.getCause() instanceof ApplicationFailure failure
            ? new UpdateResult.Rejected(failure.getOriginalMessage())
            : new UpdateResult.NotRunning();
      } catch (WorkflowNotFoundException _) {
        return new UpdateResult.NotRunning();
      }
    });
  }

  private WorkflowStub stub(BarrierId id) {
    return client.newUntypedWorkflowStub(BarrierInput.workflowId(id.tenant(), id.name()));
  }
}
