package dev.uplift.activities.rollout;

import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.reconciler.FaultIsolation;
import dev.uplift.activities.reconciler.FaultIsolation.IsolatedPass;
import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.rollout.PauseCause;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.services.LogContext;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.RolloutInput;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes sure that every rollout that has not ended has a workflow: starts one that was never started, and restarts one
/// that was terminated, paused. Reports workflows that do not continue.
@Singleton
public final class RolloutReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutReconciler.class);
  private static final String TERMINATED = "uplift: its workflow was ended in Temporal";

  private final RolloutRepositories repositories;
  private final RolloutWorkflowClient workflows;
  private final FailingWorkflowMonitor failingWorkflows;
  private final FaultIsolation isolation = new FaultIsolation("rollout");

  RolloutReconciler(
      RolloutRepositories repositories, RolloutWorkflowClient workflows, FailingWorkflowMonitor failingWorkflows) {
    this.repositories = repositories;
    this.workflows = workflows;
    this.failingWorkflows = failingWorkflows;
  }

  /// Reconciles each rollout. What is unavailable now is left to the next run; any number of servers may do this at
  /// once.
  ///
  /// @return whether the database and Temporal were available
  /// @throws dev.uplift.activities.reconciler.IncompletePass if one could not be reconciled; all others are
  public boolean run() {
    IsolatedPass pass = isolation.beginPass();
    try {
      repositories.rollouts().findOpen().forEach(row -> reconcile(row, pass));
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("rollouts are reconciled later", e);
      return false;
    }
    pass.end();
    return true;
  }

  private void reconcile(RolloutRow row, IsolatedPass pass) {
    try (LogContext _ = LogContext.ofRollout(row.id().tenant(), row.id().name())) {
      pass.run(row.id(), () -> ensureWorkflow(row));
    }
  }

  private void ensureWorkflow(RolloutRow row) {
    switch (workflows.workflowState(row.id())) {
      case RUNNING ->
          failingWorkflows.check(row.id().tenant(), RolloutInput.workflowId(row.id().tenant(), row.id().name()));
      case NONE -> workflows.start(row);
      case ENDED -> pause(row).ifPresent(workflows::restart);
    }
  }

  /// Empty if it has ended meanwhile.
  private Optional<RolloutRow> pause(RolloutRow row) {
    return repositories
        .database()
        .inTransaction(() ->
            repositories
                .rollouts()
                .lock(row.id())
                .filter(now -> now.endedAt().isEmpty())
                .map(now -> RolloutJson.readControl(now.control()).pausedBy().isEmpty() ? recordPause(now) : now));
  }

  private RolloutRow recordPause(RolloutRow row) {
    LOG.warn("rollout {} is paused: its workflow was ended in Temporal", row.id());
    RolloutControl control = RolloutJson.readControl(row.control()).paused(TERMINATED, PauseCause.WORKFLOW_ENDED);
    repositories.rollouts().setControl(row.id(), RolloutJson.write(control));
    repositories
        .decisions()
        .append(row.id(), new NewDecision(row.currentWave(), "pause", "", TERMINATED, "", "uplift", Optional.empty()));
    return repositories
        .rollouts()
        .setState(
            row.id(), RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), "paused by " + TERMINATED, Optional.empty());
  }
}
