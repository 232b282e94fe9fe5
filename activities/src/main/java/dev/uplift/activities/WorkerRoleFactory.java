package dev.uplift.activities;

import dev.uplift.activities.barrier.BarrierReconciler;
import dev.uplift.activities.device.CommandStreamReconciler;
import dev.uplift.activities.device.UpgradeReconciler;
import dev.uplift.activities.host.EventConsumer;
import dev.uplift.activities.host.HeartbeatAwaiter;
import dev.uplift.activities.policy.PolicyReconciler;
import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.rollout.RolloutReconciler;
import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.activities.temporal.TaskQueueMonitor;
import dev.uplift.activities.webhook.WebhookScheduler;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.ServerIntervals;
import dev.uplift.services.archive.Archiver;
import dev.uplift.services.archive.HistoryRemover;
import dev.uplift.services.messaging.DurableConsumerLoop;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.StreamProvisioner;
import dev.uplift.services.metrics.FleetMetrics;
import dev.uplift.services.presence.HostInventory;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.scheduling.PeriodicTasks;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.tenant.TenantRemover;
import dev.uplift.services.trust.TrustRootExpiryMonitor;
import dev.uplift.services.trust.TrustRootPublisher;
import dev.uplift.store.command.CommandRepository;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/// Creates the parts of [WorkerRole] that consume and reconcile.
@Factory
final class WorkerRoleFactory {
  static final String EVENTS = "events";
  static final String INFOS = "infos";

  private static final Duration HEARTBEAT_WAIT_REFRESH = Duration.ofSeconds(2);
  private static final Duration INVENTORY_FLUSH = Duration.ofSeconds(5);

  /// How long the logs of steps are kept, and how often older ones are removed.
  private static final Duration LOG_AGE = Duration.ofDays(30);

  private static final Duration LOG_REMOVAL = Duration.ofHours(1);

  private static final Duration ARCHIVE_INTERVAL = Duration.ofHours(1);

  private static final Duration HISTORY_REMOVAL = Duration.ofHours(1);

  @Singleton
  @Named(EVENTS)
  DurableConsumerLoop events(
      NatsConnection nats, Presence presence, EventConsumer eventConsumer, HeartbeatAwaiter heartbeatAwaiter) {
    presence.addListener(heartbeatAwaiter::onHeartbeat);
    return new DurableConsumerLoop(nats, Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER, eventConsumer::accept);
  }

  @Singleton
  @Named(INFOS)
  DurableConsumerLoop infos(
      NatsConnection nats, Presence presence, HostInventory hostInventory, PolicySignals policies) {
    hostInventory.listenTo(presence);
    hostInventory.addListener(policies::recheckHosts);
    return new DurableConsumerLoop(
        nats, Subjects.INFO_STREAM, StreamProvisioner.INVENTORY_CONSUMER, hostInventory::accept);
  }

  @Singleton
  PeriodicTasks periodicTasks(
      ServerIntervals intervals,
      HeartbeatAwaiter heartbeatAwaiter,
      HostInventory hostInventory,
      UpgradeReconciler upgrades,
      CommandStreamReconciler commandStream,
      RolloutReconciler rollouts,
      PolicyReconciler policies,
      BarrierReconciler barriers,
      FailingWorkflowMonitor failingWorkflows,
      TrustRootPublisher trustRoots,
      TrustRootExpiryMonitor expiry,
      CommandRepository commands,
      TenantRemover tenants,
      Archiver archiver,
      HistoryRemover history,
      FleetMetrics fleetMetrics,
      TaskQueueMonitor taskQueues,
      WebhookScheduler webhooks,
      Convergence convergence) {
    convergence.awaitReconciled(upgrades, rollouts, commandStream);
    Thread.ofVirtual().name("selections").start(Selection::warmUp);
    Duration interval = intervals.reconcileEvery();
    return new PeriodicTasks()
        .schedule(HEARTBEAT_WAIT_REFRESH, "heartbeat-waits", heartbeatAwaiter::refresh)
        .schedule(INVENTORY_FLUSH, "inventory", hostInventory::write)
        .schedule(interval, "reconciler", upgrades::run)
        .schedule(interval, "failing-workflows", failingWorkflows::recheck)
        .schedule(interval, "command-stream-reconciler", commandStream::run)
        .schedule(interval, "trust-root-publisher", trustRoots::publishMissing)
        .schedule(interval, "rollout-reconciler", rollouts::run)
        .schedule(interval, "policy-reconciler", policies::run)
        .schedule(interval, "barrier-reconciler", barriers::run)
        .schedule(WebhookScheduler.INTERVAL, "webhooks", webhooks::run)
        .schedule(interval, "webhook-reconciler", webhooks::reconcile)
        .schedule(interval, "trust-root-expiry", expiry::check)
        .schedule(interval, "tenant-remover", tenants::run)
        .schedule(FleetMetrics.INTERVAL, "fleet-metrics", fleetMetrics::refresh)
        .schedule(TaskQueueMonitor.INTERVAL, "task-queues", taskQueues::refresh)
        .schedule(LOG_REMOVAL, "log-removal", () -> commands.deleteLogs(Instant.now().minus(LOG_AGE)))
        .schedule(ARCHIVE_INTERVAL, "archiver", archiver::run)
        .schedule(HISTORY_REMOVAL, "history-removal", history::run);
  }
}
