package dev.uplift.activities;

import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.services.enrolment.RevocationPublisher;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.StreamMonitor;
import dev.uplift.services.messaging.StreamProvisioner;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.trust.TrustRootPublisher;
import dev.uplift.store.Database;
import io.micronaut.context.BeanProvider;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Starts what this process does besides answering requests, and ends it in order. Needs the database only: while NATS
/// and Temporal are unavailable, each part waits for them.
@Singleton
public final class ServerLifecycle {
  private final Database database;
  private final NatsConnection nats;
  private final StreamMonitor streamMonitor;
  private final TemporalClients temporal;
  private final Convergence convergence;
  private final Optional<RevocationPublisher> revocations;
  private final BeanProvider<WorkerRole> workerRole;
  private @Nullable WorkerRole worker;

  /// Whatever NATS connection comes up has its streams first.
  ///
  /// @param revocations of a server that hosts may join
  ServerLifecycle(
      Database database,
      NatsConnection nats,
      StreamProvisioner streams,
      StreamMonitor streamMonitor,
      Presence presence,
      TrustRootPublisher trustRoots,
      TemporalClients temporal,
      Convergence convergence,
      Optional<RevocationPublisher> revocations,
      BeanProvider<WorkerRole> workerRole) {
    this.database = database;
    this.nats = nats;
    this.streamMonitor = streamMonitor;
    this.temporal = temporal;
    this.convergence = convergence;
    this.revocations = revocations;
    this.workerRole = workerRole;
    nats.addInitializer(streams);
    nats.addInitializer(presence);
    nats.addInitializer(trustRoots);
  }

  /// Connects to NATS, without waiting for it. Once.
  public void start() {
    nats.start();
    streamMonitor.start();
    convergence.start();
    revocations.ifPresent(RevocationPublisher::start);
  }

  /// Takes the role `worker`. Once, after [#start].
  public synchronized void startWorker() {
    worker = workerRole.get();
  }

  /// Ends all of it, the database last. Micronaut calls it before it destroys other beans.
  @PreDestroy
  synchronized void close() {
    convergence.close();
    if (worker != null) {
      worker.close();
    }
    revocations.ifPresent(RevocationPublisher::close);
    streamMonitor.close();
    nats.close();
    temporal.close();
    database.close();
  }
}
