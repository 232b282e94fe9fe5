package dev.uplift.workflows.rollout;

import static dev.uplift.workflows.SearchAttributeKeys.PACKAGE;
import static dev.uplift.workflows.SearchAttributeKeys.PHASE;
import static dev.uplift.workflows.SearchAttributeKeys.ROLLOUT;
import static dev.uplift.workflows.SearchAttributeKeys.TENANT;
import static dev.uplift.workflows.SearchAttributeKeys.VERSION;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;

/// The input of a rollout's workflow. The plan and the devices are in the tables.
///
/// @param rollout id, unique in its tenant
public record RolloutInput(String tenant, String rollout, Release release, RolloutTimeouts timeouts) {
  public static String workflowId(String tenant, String rollout) {
    return "rollout/%s/%s".formatted(tenant, rollout);
  }

  /// How it is started, so that it is found and understood in Temporal Web UI. A second start of the same rollout joins
  /// the first one while it runs, and is refused once it has ended.
  public WorkflowOptions workflowOptions() {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(workflowId(tenant, rollout))
        .setTaskQueue(TaskQueues.ROLLOUT)
        .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
        .setTypedSearchAttributes(
            SearchAttributes.newBuilder()
                .set(TENANT, tenant)
                .set(ROLLOUT, rollout)
                .set(PACKAGE, release.packageName())
                .set(VERSION, release.version())
                .set(PHASE, RolloutState.RUNNING.toString())
                .build())
        .setStaticSummary("%s to the devices of %s".formatted(release, rollout))
        .build();
  }
}
