package dev.uplift.activities.temporal;

import dev.uplift.workflows.TaskQueues;
import dev.uplift.workflows.barrier.BarrierImpl;
import dev.uplift.workflows.barrier.BarrierRecords;
import dev.uplift.workflows.barrier.BarrierSteps;
import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.procedure.DeviceUpgradeImpl;
import dev.uplift.workflows.policy.PolicyEnforcementImpl;
import dev.uplift.workflows.policy.PolicyRunImpl;
import dev.uplift.workflows.policy.PolicySteps;
import dev.uplift.workflows.rollout.RolloutImpl;
import dev.uplift.workflows.rollout.RolloutRecords;
import dev.uplift.workflows.rollout.RolloutSteps;
import dev.uplift.workflows.webhook.WebhookDeliveryImpl;
import dev.uplift.workflows.webhook.WebhookSteps;
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

/// Runs device upgrades, rollouts, policies, barriers and webhooks. Creating it never blocks: it starts to work as soon
/// as Temporal is available.
@Singleton
public final class TemporalWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TemporalWorker.class);
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  /// Ten seconds are promised for the end of a server. The rest is for what closes after it.
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(7);

  /// More than the runs that are active at the same time; one that waits for hours may be evicted.
  private static final int CACHED_RUNS = 5000;

  /// With fewer, replies come in steps of 50 ms.
  private static final int WORKFLOW_POLLERS = 20;

  /// Most activities come with the answer to a workflow task.
  private static final int ACTIVITY_POLLERS = 5;

  /// Rollouts that work on devices at the same time. Each activity sleeps for most of its time.
  private static final int MAX_ROLLOUT_ACTIVITIES = 1000;

  /// Each is one webhook that has something to send, and mostly waits for its receiver.
  private static final int MAX_WEBHOOK_ACTIVITIES = 1000;

  private static final int WEBHOOK_POLLERS = 2;

  private final TemporalClients temporal;
  private final SealCheckInterceptor sealCheck;
  private final HostSteps steps;
  private final DeviceRecords records;
  private final RolloutSteps rolloutSteps;
  private final RolloutRecords rolloutRecords;
  private final PolicySteps policySteps;
  private final BarrierSteps barrierSteps;
  private final BarrierRecords barrierRecords;
  private final WebhookSteps webhookSteps;
  private final Thread starter;
  private @Nullable WorkerFactory factory;
  private boolean closed;

  /// @param sealCheck refuses what does not come from a server of this installation
  public TemporalWorker(
      TemporalClients temporal,
      SealCheckInterceptor sealCheck,
      HostSteps steps,
      DeviceRecords records,
      RolloutSteps rolloutSteps,
      RolloutRecords rolloutRecords,
      PolicySteps policySteps,
      BarrierSteps barrierSteps,
      BarrierRecords barrierRecords,
      WebhookSteps webhookSteps) {
    this.temporal = temporal;
    this.sealCheck = sealCheck;
    this.steps = steps;
    this.records = records;
    this.rolloutSteps = rolloutSteps;
    this.rolloutRecords = rolloutRecords;
    this.policySteps = policySteps;
    this.barrierSteps = barrierSteps;
    this.barrierRecords = barrierRecords;
    this.webhookSteps = webhookSteps;
    this.starter = Thread.ofVirtual().name("temporal-worker").start(this::startWhenReachable);
  }

  /// Returns whether it works.
  public synchronized boolean isStarted() {
    return factory != null;
  }

  private void startWhenReachable() {
    try {
      if (!temporal.isReachable()) {
        LOG.warn("Temporal is unavailable; the worker starts when it is available");
      }
      while (!start()) {
        Thread.sleep(RETRY_DELAY);
      }
    } catch (InterruptedException _) {
      LOG.debug("closed before Temporal was available");
    }
  }

  /// Not before Temporal is available: a factory that could not start cannot be shut down either.
  private boolean start() {
    if (!temporal.isReachable()) {
      return Thread.currentThread().isInterrupted();
    }
    WorkerFactory fresh = build();
    try {
      fresh.start();
      return activate(fresh);
    } catch (RuntimeException e) {
      LOG.warn("the worker cannot start and tries again: {}", TemporalClients.describe(e));
      discard(fresh);
      return Thread.currentThread().isInterrupted();
    }
  }

  /// A shutdown calls Temporal, which may be unavailable by now.
  private static void discard(WorkerFactory factory) {
    try {
      factory.shutdownNow();
    } catch (RuntimeException e) {
      LOG.debug("a worker that did not start cannot be shut down", e);
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
                .setWorkerInterceptors(temporal.tracing().workerInterceptors(sealCheck))
                .build());
    Worker worker =
        fresh.newWorker(
            TaskQueues.UPGRADE,
            WorkerOptions.newBuilder()
                .setUsingVirtualThreads(true)
                .setMaxConcurrentWorkflowTaskPollers(WORKFLOW_POLLERS)
                .setMaxConcurrentActivityTaskPollers(ACTIVITY_POLLERS)
                // A busy machine is no deadlock.
                .setDefaultDeadlockDetectionTimeout(Duration.ofSeconds(10).toMillis())
                .build());
    worker.registerWorkflowImplementationTypes(DeviceUpgradeImpl.class);
    worker.registerActivitiesImplementations(steps, records);
    addRolloutWorker(fresh);
    addWebhookWorker(fresh);
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
    worker.registerWorkflowImplementationTypes(
        RolloutImpl.class, PolicyEnforcementImpl.class, PolicyRunImpl.class, BarrierImpl.class);
    worker.registerActivitiesImplementations(rolloutSteps, rolloutRecords, policySteps, barrierSteps, barrierRecords);
  }

  /// On a task queue of their own: how long an activity takes is up to receivers.
  private void addWebhookWorker(WorkerFactory fresh) {
    Worker worker =
        fresh.newWorker(
            TaskQueues.WEBHOOK,
            WorkerOptions.newBuilder()
                .setUsingVirtualThreads(true)
                .setMaxConcurrentWorkflowTaskPollers(WEBHOOK_POLLERS)
                .setMaxConcurrentActivityTaskPollers(WEBHOOK_POLLERS)
                .setMaxConcurrentActivityExecutionSize(MAX_WEBHOOK_ACTIVITIES)
                .setDefaultDeadlockDetectionTimeout(Duration.ofSeconds(10).toMillis())
                .build());
    worker.registerWorkflowImplementationTypes(WebhookDeliveryImpl.class);
    worker.registerActivitiesImplementations(webhookSteps);
  }

  /// Accepts no new work and finishes what runs; another worker takes over what does not finish in time.
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
