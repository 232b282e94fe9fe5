package dev.uplift.workflows.device;

import static dev.uplift.workflows.SearchAttributeKeys.DEVICE;
import static dev.uplift.workflows.SearchAttributeKeys.PACKAGE;
import static dev.uplift.workflows.SearchAttributeKeys.PHASE;
import static dev.uplift.workflows.SearchAttributeKeys.ROLLOUT;
import static dev.uplift.workflows.SearchAttributeKeys.TENANT;
import static dev.uplift.workflows.SearchAttributeKeys.VERSION;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Phase;
import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// How a device upgrade is started, so that it can be found and understood in Temporal Web UI.
public final class UpgradeWorkflowOptions {
  /// The upgrade id in the workflow's memo. Distinguishes a retried start from a second upgrade.
  public static final String UPGRADE_ID = "upgrade";

  private UpgradeWorkflowOptions() {}

  /// The start is refused as long as an upgrade of the device runs.
  public static WorkflowOptions of(UpgradePlan plan) {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(plan.workflowId())
        .setTaskQueue(TaskQueues.UPGRADE)
        .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL)
        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
        .setMemo(Map.of(UPGRADE_ID, plan.upgrade()))
        .setTypedSearchAttributes(searchAttributes(plan))
        .setStaticSummary(summary(plan))
        .setStaticDetails(details(plan))
        .build();
  }

  private static SearchAttributes searchAttributes(UpgradePlan plan) {
    SearchAttributes.Builder found =
        SearchAttributes.newBuilder()
            .set(TENANT, plan.device().tenant())
            .set(DEVICE, plan.device().name())
            .set(PACKAGE, plan.release().packageName())
            .set(VERSION, plan.release().version())
            .set(PHASE, Phase.CHECK.toString());
    plan.origin().rollout().ifPresent(rollout -> found.set(ROLLOUT, rollout));
    return found.build();
  }

  private static String summary(UpgradePlan plan) {
    return plan.revert().isPresent()
        ? "revert %s of %s".formatted(plan.release(), plan.device())
        : "%s to %s".formatted(plan.release(), plan.device());
  }

  private static String details(UpgradePlan plan) {
    String taken =
        plan.revert()
            .map(upgradeToRevert ->
                "| reverts | %s |\n".formatted(UpgradeCurrentDetails.escape(upgradeToRevert.upgrade())))
            .orElse("");
    return table(plan) + taken;
  }

  private static String table(UpgradePlan plan) {
    return """
    | | |
    |---|---|
    | hosts | %s |
    | started by | %s |
    | upgrade id | %s |
    | not after | %s |
    | a failure rolls back | %s |
    """
        .formatted(
            plan.hosts().stream().map(HostId::value).collect(Collectors.joining(", ")),
            UpgradeCurrentDetails.escape(plan.origin().startedBy()),
            UpgradeCurrentDetails.escape(plan.upgrade()),
            UpgradeCurrentDetails.formatTime(plan.options().notAfter()),
            plan.options().rollbackScope().name().toLowerCase(Locale.ROOT));
  }
}
