package dev.uplift.activities.barrier;

import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.workflows.barrier.BarrierInput;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes sure that every barrier that has not ended has a workflow: starts one that was never started, or was
/// terminated. Reports workflows that do not continue.
@Singleton
public final class BarrierReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(BarrierReconciler.class);

  private final BarrierRepositories tables;
  private final BarrierWorkflowClient workflows;
  private final FailingWorkflowMonitor failingWorkflows;

  BarrierReconciler(
      BarrierRepositories tables, BarrierWorkflowClient workflows, FailingWorkflowMonitor failingWorkflows) {
    this.tables = tables;
    this.workflows = workflows;
    this.failingWorkflows = failingWorkflows;
  }

  /// Leaves what is unavailable now to the next run. Any number of servers may do this at once.
  public void run() {
    try {
      tables.barriers().findOpen().forEach(this::reconcile);
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("barriers are reconciled later", e);
    }
  }

  private void reconcile(BarrierRow row) {
    if (workflows.isRunning(row.id())) {
      failingWorkflows.check(row.tenant(), BarrierInput.workflowId(row.tenant(), row.name()));
    } else {
      workflows.start(row);
    }
  }
}
