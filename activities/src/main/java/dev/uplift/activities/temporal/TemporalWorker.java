package dev.uplift.activities.temporal;

import dev.uplift.workflows.TaskQueues;
import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.procedure.DeviceUpgradeImpl;
import dev.uplift.workflows.rollout.RolloutImpl;
import dev.uplift.workflows.rollout.RolloutRecords;
import dev.uplift.workflows.rollout.RolloutSteps;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs device upgrades and rollouts. Starting it waits for nothing: while Temporal is away it is
/// not there, and begins to work when it comes.
@Singleton
public final class TemporalWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TemporalWorker.class);
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

  /// More than runs that are steered at the same time; one that waits for hours need not be in it.
  private static final int CACHED_RUNS = 5000;

  /// Replies come in steps of 50 ms when there are too few.
  private static final int WORKFLOW_POLLERS = 20;

  /// Most activities come with the answer to a workflow task.
  private static final int ACTIVITY_POLLERS = 5;

  /// Rollouts that work on devices at the same time. Each activity sleeps for most of its time.
  private static final int MAX_ROLLOUT_ACTIVITIES = 1000;

  private final TemporalClients temporal;
  private final HostSteps steps;
  private final DeviceRecords records;
  private final RolloutSteps rolloutSteps;
  private final RolloutRecords rolloutRecords;
  private final Thread starter;
  private @Nullable WorkerFactory factory;
  private boolean closed;

  public TemporalWorker(
      TemporalClients temporal,
      HostSteps steps,
      DeviceRecords records,
      RolloutSteps rolloutSteps,
      RolloutRecords rolloutRecords) {
    this.temporal = temporal;
    this.steps = steps;
    this.records = records;
    this.rolloutSteps = rolloutSteps;
    this.rolloutRecords = rolloutRecords;
    this.starter = Thread.ofVirtual().name("temporal-worker").start(this::startWhenReachable);
  }

  /// Whether it has begun to work.
  public synchronized boolean isStarted() {
    return factory != null;
  }

  private void startWhenReachable() {
    try {
      if (!temporal.isReachable()) {
        LOG.warn("Temporal is away, the worker starts when it comes");
      }
      while (!start()) {
        Thread.sleep(RETRY_DELAY);
      }
    } catch (InterruptedException _) {
      LOG.debug("closed before Temporal came");
    }
  }

  /// Not before Temporal is there: a factory that could not start cannot be shut down either.
  private boolean start() {
    if (!temporal.isReachable()) {
      return Thread.currentThread().isInterrupted();
    }
    WorkerFactory fresh = build();
    try {
      fresh.start();
      return activate(fresh);
    } catch (RuntimeException e) {
      LOG.warn("the worker cannot start, tried again: {}", TemporalClients.describe(e));
      discard(fresh);
      return Thread.currentThread().isInterrupted();
    }
  }

  /// It says goodbye to Temporal, which may have gone meanwhile.
  private static void discard(WorkerFactory factory) {
    try {
      factory.shutdownNow();
    } catch (RuntimeException e) {
      LOG.debug("a worker that did not start is left behind", e);
    }
  }

  private synchronized boolean activate(WorkerFactory started) {
    if (closed) {
      started.shutdownNow();
    } else {
      factory = started;
      LOG.info("the worker runs");
    }
    return true;
  }

  private WorkerFactory build() {
    WorkerFactory fresh =
        WorkerFactory.newInstance(
            temporal.workerClient(),
            WorkerFactoryOptions.newBuilder()
                .setUsingVirtualWorkflowThreads(true)
                .setWorkflowCacheSize(CACHED_RUNS)
                .build());
    Worker worker =
        fresh.newWorker(
            TaskQueues.UPGRADE,
            WorkerOptions.newBuilder()
                .setUsingVirtualThreads(true)
                .setMaxConcurrentWorkflowTaskPollers(WORKFLOW_POLLERS)
                .setMaxConcurrentActivityTaskPollers(ACTIVITY_POLLERS)
                // A full machine is no deadlock.
                .setDefaultDeadlockDetectionTimeout(Duration.ofSeconds(10).toMillis())
                .build());
    worker.registerWorkflowImplementationTypes(DeviceUpgradeImpl.class);
    worker.registerActivitiesImplementations(steps, records);
    addRolloutWorker(fresh);
    return fresh;
  }

  /// On a task queue of their own: an activity may take an hour.
  private void addRolloutWorker(WorkerFactory fresh) {
    Worker worker =
        fresh.newWorker(
            TaskQueues.ROLLOUT,
            WorkerOptions.newBuilder()
                .setUsingVirtualThreads(true)
                .setMaxConcurrentActivityExecutionSize(MAX_ROLLOUT_ACTIVITIES)
                .setDefaultDeadlockDetectionTimeout(Duration.ofSeconds(10).toMillis())
                .build());
    worker.registerWorkflowImplementationTypes(RolloutImpl.class);
    worker.registerActivitiesImplementations(rolloutSteps, rolloutRecords);
  }

  /// Takes nothing new and ends what is under way; what that does not, another worker takes over.
  @Override
  public void close() {
    WorkerFactory running;
    synchronized (this) {
      closed = true;
      running = factory;
    }
    starter.interrupt();
    if (running != null) {
      running.shutdown();
      running.awaitTermination(SHUTDOWN_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      running.shutdownNow();
    }
  }
}
