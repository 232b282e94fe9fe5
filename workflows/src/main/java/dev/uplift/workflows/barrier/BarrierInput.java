package dev.uplift.workflows.barrier;

import static dev.uplift.workflows.SearchAttributeKeys.PACKAGE;
import static dev.uplift.workflows.SearchAttributeKeys.PHASE;
import static dev.uplift.workflows.SearchAttributeKeys.TENANT;

import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import java.time.Instant;
import java.util.Optional;

/// The input of a barrier's workflow. Its hosts are in the tables.
///
/// @param barrier name, unique in its tenant
/// @param migratedBy the device whose upgrade is the migration; empty: others migrate and say when it is done
/// @param until when every halted host resumes by itself
public record BarrierInput(
    String tenant, String barrier, String packageName, Optional<String> migratedBy, Instant until) {
  public static String workflowId(String tenant, String barrier) {
    return "barrier/%s/%s".formatted(tenant, barrier);
  }

  /// Returns options with search attributes and a summary for Temporal Web UI. A second start of the same barrier joins
  /// the first one while it runs. A terminated one may be started again, and continues from its rows.
  public WorkflowOptions workflowOptions() {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(workflowId(tenant, barrier))
        .setTaskQueue(TaskQueues.ROLLOUT)
        .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
        .setTypedSearchAttributes(
            SearchAttributes.newBuilder()
                .set(TENANT, tenant)
                .set(PACKAGE, packageName)
                .set(PHASE, BarrierState.HALTING.toString())
                .build())
        .setStaticSummary("barrier %s for %s".formatted(barrier, packageName))
        .build();
  }
}
