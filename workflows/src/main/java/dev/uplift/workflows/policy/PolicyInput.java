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

  /// The workflow id of the runs that a schedule starts; Temporal appends the time.
  public String runWorkflowId() {
    return "policy-run/%s/%s".formatted(tenant, policy);
  }

  /// How its runs are started by a schedule. With a summary and details, because the SDK (1.38) cannot read a schedule
  /// that has but one of them.
  public WorkflowOptions runOptions() {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(runWorkflowId())
        .setTaskQueue(TaskQueues.ROLLOUT)
        .setTypedSearchAttributes(searchAttributes())
        .setStaticSummary("run of policy %s for %s".formatted(policy, packageName))
        .setStaticDetails("has the workflow `%s` begin with what is due".formatted(workflowId(tenant, policy)))
        .build();
  }

  private SearchAttributes searchAttributes() {
    return SearchAttributes.newBuilder().set(TENANT, tenant).set(PACKAGE, packageName).build();
  }

  /// How it is started, so that it is found and understood in Temporal Web UI. A second start of the same policy joins
  /// the first one while it runs.
  public WorkflowOptions workflowOptions() {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(workflowId(tenant, policy))
        .setTaskQueue(TaskQueues.ROLLOUT)
        .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
        .setTypedSearchAttributes(searchAttributes())
        .setStaticSummary("policy %s for %s".formatted(policy, packageName))
        .build();
  }
}
