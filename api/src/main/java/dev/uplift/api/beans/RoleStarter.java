package dev.uplift.api.beans;

import dev.uplift.activities.ServerLifecycle;
import dev.uplift.api.diagnosis.ArtifactSpaceMonitor;
import dev.uplift.api.diagnosis.CertificateMonitor;
import dev.uplift.api.settings.SecretReloader;
import dev.uplift.api.settings.Settings;
import dev.uplift.services.messaging.NatsSettings;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs the roles of this process as soon as it answers requests, connects it, has its secrets watched, and starts the
/// role `worker` if it has it.
@Singleton
final class RoleStarter implements ApplicationEventListener<ServerStartupEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(RoleStarter.class);

  private final Settings settings;
  private final ServerLifecycle lifecycle;
  private final SecretReloader secrets;
  private final CertificateMonitor certificates;
  private final Optional<ArtifactSpaceMonitor> artifactSpace;

  RoleStarter(
      Settings settings,
      ServerLifecycle lifecycle,
      SecretReloader secrets,
      CertificateMonitor certificates,
      Optional<ArtifactSpaceMonitor> artifactSpace) {
    this.settings = settings;
    this.lifecycle = lifecycle;
    this.secrets = secrets;
    this.certificates = certificates;
    this.artifactSpace = artifactSpace;
  }

  @Override
  public void onApplicationEvent(ServerStartupEvent event) {
    LOG.info(
        "roles {}; database {}; Temporal {} namespace {}; NATS {}",
        settings.roles(),
        settings.database(),
        settings.temporal().target(),
        settings.temporal().namespace(),
        NatsSettings.withoutSecrets(settings.nats().url()));
    if (!settings.database().isShared()) {
      LOG.info("this database is for one server; a second one needs PostgreSQL");
    }
    LOG.info(settings.hasApiRole() && settings.enrolment().isPresent() ? "enrolment enabled" : "enrolment disabled");
    secrets.start();
    certificates.export();
    artifactSpace.ifPresent(ArtifactSpaceMonitor::export);
    lifecycle.start();
    if (settings.hasWorkerRole()) {
      lifecycle.startWorker();
    }
  }
}
