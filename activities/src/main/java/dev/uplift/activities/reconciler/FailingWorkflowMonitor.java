package dev.uplift.activities.reconciler;

import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.WorkflowTaskFailures;
import dev.uplift.activities.temporal.WorkflowTaskFailures.TaskFailure;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.reconciler.FailingWorkflow;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the list of workflows whose task fails again and again. Temporal calls such a workflow running, so without
/// this an upgrade or a rollout would stand still with nothing but a line in the log of a worker.
@Singleton
public final class FailingWorkflowMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(FailingWorkflowMonitor.class);

  /// A defect that stops more than these needs no longer list.
  private static final int MAX_RECHECKED = 1000;

  private final FailingWorkflowRepository failing;
  private final WorkflowTaskFailures failures;
  private final AtomicLong count = new AtomicLong();

  public FailingWorkflowMonitor(
      FailingWorkflowRepository failing, WorkflowTaskFailures failures, MeterRegistry meters) {
    this.failing = failing;
    this.failures = failures;
    Gauge.builder("uplift.workflows.failing", count, AtomicLong::get)
        .description("workflows that do not continue because their task fails again and again")
        .register(meters);
  }

  /// Asks Temporal about a workflow that should be running, and records the answer.
  ///
  /// @throws TemporalUnavailable if nothing is known now
  public void check(String tenant, String workflowId) {
    Optional<TaskFailure> found = failures.find(workflowId);
    if (found.isEmpty()) {
      failing.delete(tenant, workflowId);
      return;
    }
    TaskFailure failure = found.get();
    if (failing.find(tenant, workflowId).isEmpty()) {
      LOG.error("workflow {} does not continue: its task fails again and again: {}", workflowId, failure.error());
    }
    failing.put(
        new FailingWorkflow(
            tenant, workflowId, failure.since().truncatedTo(ChronoUnit.MILLIS), failure.attempts(), failure.error()));
  }

  /// Checks those in the list again: some continue, some have ended. What is unavailable now is left to the next run;
  /// any number of servers may do this at once.
  public void recheck() {
    try {
      failing.list(MAX_RECHECKED).forEach(each -> check(each.tenant(), each.workflowId()));
      count.set(failing.countAll());
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("failing workflows are checked later", e);
    }
  }
}
