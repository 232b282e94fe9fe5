package dev.uplift.activities.policy;

import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.reconciler.FaultIsolation;
import dev.uplift.activities.reconciler.FaultIsolation.IsolatedPass;
import dev.uplift.activities.temporal.PolicyScheduleClient;
import dev.uplift.activities.temporal.PolicyWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.services.policy.PolicyRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.workflows.policy.PolicyInput;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes sure that every enabled policy has a workflow, and a schedule if it begins in runs: creates what was never
/// there, or was taken away, and sets right a schedule that differs. A schedule without such a policy removes itself
/// when it starts a run. Has the rollouts stopped that a disabled or deleted policy has left open.
@Singleton
public final class PolicyReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyReconciler.class);

  private final PolicyRepositories tables;
  private final PolicyWorkflowClient workflows;
  private final FailingWorkflowMonitor failingWorkflows;
  private final PolicyScheduleClient schedules;
  private final FaultIsolation isolation = new FaultIsolation("policy");

  public PolicyReconciler(
      PolicyRepositories tables,
      PolicyWorkflowClient workflows,
      FailingWorkflowMonitor failingWorkflows,
      PolicyScheduleClient schedules) {
    this.tables = tables;
    this.schedules = schedules;
    this.workflows = workflows;
    this.failingWorkflows = failingWorkflows;
  }

  /// What is unavailable now is left to the next run; any number of servers may do this at once.
  ///
  /// @throws dev.uplift.activities.reconciler.IncompletePass if one could not be reconciled; all others are
  public void run() {
    IsolatedPass pass = isolation.beginPass();
    try {
      tables.policies().findAllEnabled().forEach(row -> pass.run(row.id(), () -> reconcile(row)));
      tables
          .ofPolicies()
          .findLeftOpen()
          .forEach(left -> pass.run(left.id(), () -> workflows.stop(left.id(), left.packageName())));
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("policies are reconciled later", e);
    }
    pass.end();
  }

  private void reconcile(PolicyRow row) {
    if (workflows.isRunning(row.id())) {
      failingWorkflows.check(row.tenant(), PolicyInput.workflowId(row.tenant(), row.name()));
    } else {
      workflows.startOrRecheck(row);
    }
    if (PolicyJson.read(row.spec()).cron().isPresent()) {
      schedules.apply(row);
    }
  }
}
