package dev.uplift.workflows.webhook;

import static dev.uplift.workflows.SearchAttributeKeys.TENANT;

import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;

/// The input of a webhook's workflow. Where it sends what is in the tables.
public record WebhookInput(String tenant, String webhook) {
  public static String workflowId(String tenant, String webhook) {
    return "webhook/%s/%s".formatted(tenant, webhook);
  }

  /// Returns options with search attributes and a summary for Temporal Web UI. A second start of the same webhook joins
  /// the first one while it runs.
  public WorkflowOptions workflowOptions() {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(workflowId(tenant, webhook))
        .setTaskQueue(TaskQueues.WEBHOOK)
        .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
        .setTypedSearchAttributes(SearchAttributes.newBuilder().set(TENANT, tenant).build())
        .setStaticSummary("webhook " + webhook)
        .build();
  }
}
