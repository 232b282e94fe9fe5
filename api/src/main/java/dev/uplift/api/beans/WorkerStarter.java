package dev.uplift.api.beans;

import dev.uplift.activities.ActivitiesFactory;
import dev.uplift.api.enrolment.HostAccess;
import dev.uplift.api.settings.Settings;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says what this process is, once it answers, and begins to carry upgrades out if that is its
/// role. Where it lets hosts in it tells NATS from now on who is shut out, asked or not.
@Singleton
final class WorkerStarter implements ApplicationEventListener<ServerStartupEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerStarter.class);

  private final Settings settings;
  private final ActivitiesFactory wiring;
  private final HostAccess hostAccess;

  WorkerStarter(Settings settings, ActivitiesFactory wiring, HostAccess hostAccess) {
    this.settings = settings;
    this.wiring = wiring;
    this.hostAccess = hostAccess;
  }

  @Override
  public void onApplicationEvent(ServerStartupEvent event) {
    LOG.info(
        "roles {}; database {}; Temporal {} namespace {}; NATS {}",
        settings.roles(),
        settings.database(),
        settings.activities().temporal().target(),
        settings.activities().temporal().namespace(),
        settings.activities().nats().url());
    if (!settings.database().isShared()) {
      LOG.info("this database is for one server; a second one needs PostgreSQL");
    }
    LOG.info(
        hostAccess.enrolmentService().isPresent() ? "enrolment enabled" : "enrolment disabled");
    if (settings.hasWorkerRole()) {
      wiring.startWorker();
    }
  }
}
