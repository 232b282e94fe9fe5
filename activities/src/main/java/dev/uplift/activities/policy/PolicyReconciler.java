package dev.uplift.activities.policy;

import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.activities.temporal.PolicyWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.policy.PolicyRepository;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.workflows.policy.PolicyInput;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes sure that every enabled policy has a workflow: starts one that was never started, or that was terminated.
@Singleton
public final class PolicyReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyReconciler.class);

  private final PolicyRepository policies;
  private final PolicyWorkflowClient workflows;
  private final FailingWorkflowMonitor failingWorkflows;
  private final PolicySignals signals;

  PolicyReconciler(
      PolicyRepository policies,
      PolicyWorkflowClient workflows,
      FailingWorkflowMonitor failingWorkflows,
      PolicySignals signals) {
    this.policies = policies;
    this.signals = signals;
    this.workflows = workflows;
    this.failingWorkflows = failingWorkflows;
  }

  /// What is unavailable now is left to the next run; any number of servers may do this at once.
  public void run() {
    try {
      List<PolicyRow> enabled = policies.findAllEnabled();
      signals.setTenants(enabled.stream().map(PolicyRow::tenant).collect(Collectors.toSet()));
      enabled.forEach(this::reconcile);
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("policies are reconciled later", e);
    }
  }

  private void reconcile(PolicyRow row) {
    if (workflows.isRunning(row.id())) {
      failingWorkflows.check(row.tenant(), PolicyInput.workflowId(row.tenant(), row.name()));
    } else {
      workflows.startOrRecheck(row);
    }
  }
}
