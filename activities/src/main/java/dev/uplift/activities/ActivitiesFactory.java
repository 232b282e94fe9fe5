package dev.uplift.activities;

import dev.uplift.activities.connection.ServerConnections;
import dev.uplift.activities.temporal.ActivityCompleter;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.UpgradeSignals;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.services.Repositories;
import dev.uplift.services.enrolment.EnrolmentFactory;
import dev.uplift.services.enrolment.EnrolmentService;
import dev.uplift.services.enrolment.EnrolmentSettings;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.services.messaging.StreamProvisioner;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.trust.TrustRootExpiryMonitor;
import dev.uplift.services.trust.TrustRootPublisher;
import dev.uplift.services.upgrade.UpgradePreview;
import dev.uplift.store.Database;
import dev.uplift.store.enrolment.EnrolmentRepository;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// All parts of this module, put together once. Opening it needs the database alone: NATS and
/// Temporal may be away and come later.
///
/// The role `api` uses what is here; the role `worker` calls [#startWorker] besides.
public final class ActivitiesFactory implements AutoCloseable {
  private final ActivitiesSettings settings;
  private final Repositories repositories;
  private final RolloutRepositories rolloutRepositories;
  private final ServerConnections connections;
  private final PeriodicTasks periodicTasks = new PeriodicTasks();
  private final TrustRootPublisher trustRootPublisher;
  private final TrustRootExpiryMonitor trustRootExpiryMonitor;
  private @Nullable WorkerRoleFactory worker;
  private @Nullable EnrolmentFactory enrolmentFactory;

  public ActivitiesFactory(ActivitiesSettings settings, Database database, MeterRegistry meters) {
    InstantSource clock = new MonotonicClock();
    RejectedMessages rejectedMessages = new RejectedMessages(meters);
    NatsConnection nats = new NatsConnection(settings.nats(), clock);
    Presence presence = new Presence(nats, clock, settings.silentAfter(), rejectedMessages);
    this.settings = settings;
    this.rolloutRepositories = RolloutRepositories.of(database);
    this.repositories = rolloutRepositories.common();
    this.connections =
        new ServerConnections(
            nats, new TemporalClients(settings.temporal()), presence, rejectedMessages);
    nats.addInitializer(new StreamProvisioner(settings.nats().replicas()));
    nats.addInitializer(presence);
    this.trustRootPublisher = new TrustRootPublisher(nats, repositories.trustRoots());
    nats.addInitializer(trustRootPublisher);
    var enrolmentRepository = database.repository(EnrolmentRepository.class);
    this.trustRootExpiryMonitor =
        new TrustRootExpiryMonitor(
            repositories.trustRoots(), enrolmentRepository, InstantSource.system(), meters);
    nats.start();
  }

  /// Runs workflows, sends commands and hears answers, from now on until this is closed. Waits for
  /// nothing: what is away is joined when it comes. Once.
  public synchronized void startWorker() {
    worker = new WorkerRoleFactory(settings, rolloutRepositories, connections, trustRootPublisher);
    periodicTasks.schedule(
        settings.reconcileEvery(), "trust-root-expiry", trustRootExpiryMonitor::check);
  }

  /// Lets hosts in, from now on until this is closed. Once.
  public synchronized EnrolmentService startEnrolment(
      EnrolmentSettings enrolment, Database database) {
    EnrolmentFactory opened =
        EnrolmentFactory.create(
            enrolment,
            settings.nats(),
            database,
            repositories,
            connections.nats(),
            new ActivityCompleter(connections.temporal()));
    enrolmentFactory = opened;
    periodicTasks.schedule(
        settings.reconcileEvery(), "revocations", opened.revocations()::republish);
    return opened.service();
  }

  public TemporalClients temporalClients() {
    return connections.temporal();
  }

  public NatsConnection natsConnection() {
    return connections.nats();
  }

  public Presence presence() {
    return connections.presence();
  }

  /// Where hosts find what was published.
  public TrustRootPublisher trustRootPublisher() {
    return trustRootPublisher;
  }

  public UpgradeStarter upgradeStarter() {
    return new UpgradeStarter(connections.temporal());
  }

  public UpgradeWorkflowClient upgradeWorkflowClient() {
    return new UpgradeWorkflowClient(connections.temporal());
  }

  public UpgradeSignals upgradeSignals() {
    return new UpgradeSignals(connections.temporal());
  }

  public RolloutPlanner rolloutPlanner() {
    return new RolloutPlanner(rolloutRepositories, connections.presence());
  }

  public RolloutStarter rolloutStarter() {
    return new RolloutStarter(connections.temporal(), settings.rolloutTimeouts());
  }

  public RolloutWorkflowClient rolloutWorkflowClient() {
    return new RolloutWorkflowClient(connections.temporal());
  }

  public UpgradePreview upgradePreview() {
    return new UpgradePreview(repositories, connections.presence());
  }

  @Override
  public synchronized void close() {
    if (worker != null) {
      worker.close();
    }
    periodicTasks.close();
    if (enrolmentFactory != null) {
      enrolmentFactory.close();
    }
    connections.nats().close();
    connections.temporal().close();
  }
}
