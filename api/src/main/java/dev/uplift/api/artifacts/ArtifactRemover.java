package dev.uplift.api.artifacts;

import dev.uplift.api.security.DeletedTenants;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.services.ServerIntervals;
import dev.uplift.services.scheduling.PeriodicTasks;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

/// Removes the artifacts of deleted tenants, periodically.
@RequiresApiRole
@Singleton
final class ArtifactRemover implements ApplicationEventListener<ServerStartupEvent> {
  private final ArtifactFolder folder;
  private final DeletedTenants deletedTenants;
  private final ServerIntervals intervals;
  private final PeriodicTasks tasks = new PeriodicTasks();

  ArtifactRemover(ArtifactFolder folder, DeletedTenants deletedTenants, ServerIntervals intervals) {
    this.folder = folder;
    this.deletedTenants = deletedTenants;
    this.intervals = intervals;
  }

  @Override
  public void onApplicationEvent(ServerStartupEvent event) {
    tasks.schedule(
        intervals.reconcileEvery(), "artifact-remover", () -> deletedTenants.names().forEach(folder::deleteAll));
  }

  @PreDestroy
  void close() {
    tasks.close();
  }
}
