package dev.uplift.activities;

import dev.uplift.activities.rollout.RolloutStepsActivities;
import dev.uplift.activities.temporal.TemporalWorker;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.DurableConsumerLoop;
import dev.uplift.services.scheduling.PeriodicTasks;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/// The role `worker` of a server: runs workflows and activities, consumes events, infos and heartbeats, and reconciles.
/// Its parts work from the moment they are created.
@Singleton
final class WorkerRole implements AutoCloseable {
  private final BatchWriter batchWriter;
  private final DurableConsumerLoop events;
  private final DurableConsumerLoop infos;
  private final RolloutStepsActivities rolloutSteps;
  private final TemporalWorker worker;
  private final PeriodicTasks periodicTasks;

  WorkerRole(
      BatchWriter batchWriter,
      @Named(WorkerRoleFactory.EVENTS) DurableConsumerLoop events,
      @Named(WorkerRoleFactory.INFOS) DurableConsumerLoop infos,
      RolloutStepsActivities rolloutSteps,
      TemporalWorker worker,
      PeriodicTasks periodicTasks) {
    this.batchWriter = batchWriter;
    this.events = events;
    this.infos = infos;
    this.rolloutSteps = rolloutSteps;
    this.worker = worker;
    this.periodicTasks = periodicTasks;
  }

  /// In an order in which nothing is received that cannot be handed over.
  @Override
  public void close() {
    rolloutSteps.shutDown();
    worker.close();
    periodicTasks.close();
    events.close();
    infos.close();
    batchWriter.close();
  }
}
