package dev.uplift.workflows.policy;

import static dev.uplift.workflows.SearchAttributeKeys.PACKAGE;
import static dev.uplift.workflows.SearchAttributeKeys.TENANT;

import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;

/// The input of a policy's workflow. What it asks for is in the tables.
///
/// @param packageName for Temporal Web UI
public record PolicyInput(String tenant, String policy, String packageName) {
  public static String workflowId(String tenant, String policy) {
    return "policy/%s/%s".formatted(tenant, policy);
  }

  /// How it is started, so that it is found and understood in Temporal Web UI. A second start of the same policy joins
  /// the first one while it runs.
  public WorkflowOptions workflowOptions() {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(workflowId(tenant, policy))
        .setTaskQueue(TaskQueues.ROLLOUT)
        .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
        .setTypedSearchAttributes(SearchAttributes.newBuilder().set(TENANT, tenant).set(PACKAGE, packageName).build())
        .setStaticSummary("policy %s for %s".formatted(policy, packageName))
        .build();
  }
}
