package dev.uplift.activities.barrier;

import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.reconciler.FaultIsolation;
import dev.uplift.activities.reconciler.FaultIsolation.IsolatedPass;
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
  private final FaultIsolation isolation = new FaultIsolation("barrier");

  BarrierReconciler(
      BarrierRepositories tables, BarrierWorkflowClient workflows, FailingWorkflowMonitor failingWorkflows) {
    this.tables = tables;
    this.workflows = workflows;
    this.failingWorkflows = failingWorkflows;
  }

  /// Leaves what is unavailable now to the next run. Any number of servers may do this at once.
  ///
  /// @throws dev.uplift.activities.reconciler.IncompletePass if one could not be reconciled; all others are
  public void run() {
    IsolatedPass pass = isolation.beginPass();
    try {
      tables.barriers().findOpen().forEach(row -> pass.run(row.id(), () -> reconcile(row)));
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("barriers are reconciled later", e);
    }
    pass.end();
  }

  private void reconcile(BarrierRow row) {
    if (workflows.isRunning(row.id())) {
      failingWorkflows.check(row.tenant(), BarrierInput.workflowId(row.tenant(), row.name()));
    } else {
      workflows.start(row);
    }
  }
}
