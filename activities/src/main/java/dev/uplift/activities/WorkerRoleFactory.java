package dev.uplift.activities;

import dev.uplift.activities.connection.ServerConnections;
import dev.uplift.activities.device.DeviceActivitiesFactory;
import dev.uplift.activities.host.HostActivitiesFactory;
import dev.uplift.activities.rollout.RolloutActivitiesFactory;
import dev.uplift.activities.temporal.TemporalWorker;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.Repositories;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.DurableConsumerLoop;
import dev.uplift.services.messaging.StreamProvisioner;
import dev.uplift.services.presence.HostInventory;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.trust.CommandSigner;
import dev.uplift.services.trust.TrustRootPublisher;
import dev.uplift.services.trust.TrustRoots;
import java.time.Duration;

/// All that a server in the role `worker` does: runs workflows, sends commands, hears answers and
/// beats, and clears up after workflows that are no more.
final class WorkerRoleFactory implements AutoCloseable {
  private static final Duration HEARTBEAT_WAIT_REFRESH = Duration.ofSeconds(2);
  private static final Duration INVENTORY_FLUSH = Duration.ofSeconds(5);

  private final PeriodicTasks periodicTasks = new PeriodicTasks();
  private final BatchWriter batchWriter;
  private final DurableConsumerLoop events;
  private final DurableConsumerLoop infos;
  private final RolloutActivitiesFactory rollouts;
  private final TemporalWorker worker;

  WorkerRoleFactory(
      ActivitiesSettings settings,
      RolloutRepositories rolloutRepositories,
      ServerConnections connections,
      TrustRootPublisher trustRootPublisher) {
    Repositories repositories = rolloutRepositories.common();
    this.batchWriter = new BatchWriter(rolloutRepositories.database());
    HostActivitiesFactory hosts =
        HostActivitiesFactory.of(
            repositories,
            connections,
            batchWriter,
            settings.artifactUrls(),
            commandSigner(settings, repositories));
    this.rollouts =
        RolloutActivitiesFactory.of(
            rolloutRepositories,
            connections,
            settings.upgradeTimeouts(),
            settings.rolloutTimeouts());
    DeviceActivitiesFactory devices =
        DeviceActivitiesFactory.of(
            repositories, connections, settings.reconcileEvery(), rollouts.steps()::notifyChanged);
    HostInventory hostInventory =
        new HostInventory(repositories.hosts(), batchWriter, connections.rejectedMessages());
    connections.presence().addListener(hosts.heartbeatAwaiter()::onHeartbeat);
    connections.presence().addListener(hostInventory::onHeartbeat);
    this.events =
        new DurableConsumerLoop(
            connections.nats(),
            Subjects.EVENT_STREAM,
            Subjects.EVENT_CONSUMER,
            hosts.eventConsumer()::accept);
    this.infos =
        new DurableConsumerLoop(
            connections.nats(),
            Subjects.INFO_STREAM,
            StreamProvisioner.INVENTORY_CONSUMER,
            hostInventory::accept);
    this.worker =
        new TemporalWorker(
            connections.temporal(),
            hosts.steps(),
            devices.records(),
            rollouts.steps(),
            rollouts.records());
    periodicTasks.schedule(
        HEARTBEAT_WAIT_REFRESH, "heartbeat-waits", hosts.heartbeatAwaiter()::refresh);
    periodicTasks.schedule(INVENTORY_FLUSH, "inventory", hostInventory::write);
    periodicTasks.schedule(settings.reconcileEvery(), "reconciler", devices.reconciler()::run);
    periodicTasks.schedule(
        settings.reconcileEvery(), "trust-root-publisher", trustRootPublisher::publishMissing);
    periodicTasks.schedule(
        settings.reconcileEvery(), "rollout-reconciler", rollouts.reconciler()::run);
    Thread.ofVirtual().name("selections").start(Selection::warmUp);
  }

  private static CommandSigner commandSigner(
      ActivitiesSettings settings, Repositories repositories) {
    return new CommandSigner(new TrustRoots(repositories.trustRoots()), settings.commandKeys());
  }

  /// In an order in which nothing is heard that cannot be handed over.
  @Override
  public void close() {
    rollouts.steps().shutDown();
    worker.close();
    periodicTasks.close();
    events.close();
    infos.close();
    batchWriter.close();
  }
}
