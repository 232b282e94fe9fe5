package dev.uplift.api.wiring;

import dev.uplift.activities.Wiring;
import dev.uplift.api.settings.Settings;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says what this process is, once it answers, and begins to carry upgrades out if that is its
/// role.
@Singleton
final class WorkerRole implements ApplicationEventListener<ServerStartupEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerRole.class);

  private final Settings settings;
  private final Wiring wiring;

  WorkerRole(Settings settings, Wiring wiring) {
    this.settings = settings;
    this.wiring = wiring;
  }

  @Override
  public void onApplicationEvent(ServerStartupEvent event) {
    LOG.info(
        "roles {}; database {}; Temporal {} namespace {}; NATS {}",
        settings.roles(),
        settings.database(),
        settings.wiring().temporal().target(),
        settings.wiring().temporal().namespace(),
        settings.wiring().nats().url());
    if (!settings.database().isShared()) {
      LOG.info("this database is for one server; a second one needs PostgreSQL");
    }
    if (settings.isWorker()) {
      wiring.startWorker();
    }
  }
}
