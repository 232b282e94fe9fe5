package dev.uplift.activities.barrier;

import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.barrier.BarrierDecision.AwaitHosts;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.trust.NoCommandKey;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.workflows.barrier.BarrierInput;
import dev.uplift.workflows.barrier.BarrierResult;
import dev.uplift.workflows.barrier.BarrierStatus;
import dev.uplift.workflows.barrier.BarrierSteps;
import dev.uplift.workflows.barrier.BarrierTimeouts;
import dev.uplift.workflows.barrier.MigrationResult;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// Works on the hosts of barriers: pass after pass, one a second, until the workflow has something to decide.
@Singleton
public final class BarrierStepsActivities implements BarrierSteps {
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  private final BarrierRepositories tables;
  private final BarrierCommandIssuer commands;
  private final BarrierMigrator migrator;
  private final BarrierRolloutStarter rollouts;
  private final InstantSource clock;

  @Inject
  BarrierStepsActivities(
      BarrierRepositories tables,
      BarrierCommandIssuer commands,
      BarrierMigrator migrator,
      BarrierRolloutStarter rollouts) {
    this(tables, commands, migrator, rollouts, InstantSource.system());
  }

  BarrierStepsActivities(
      BarrierRepositories tables,
      BarrierCommandIssuer commands,
      BarrierMigrator migrator,
      BarrierRolloutStarter rollouts,
      InstantSource clock) {
    this.tables = tables;
    this.commands = commands;
    this.migrator = migrator;
    this.rollouts = rollouts;
    this.clock = clock;
  }

  /// One pass over the hosts of a barrier.
  private interface Pass<T> {
    PassOutcome<T> run(BarrierRow row, Instant now, Runnable heartbeat);
  }

  /// @param isLast whether the workflow has something to decide
  private record PassOutcome<T>(T value, boolean isLast) {}

  @Override
  public BarrierStatus haltHosts(BarrierInput input) {
    BarrierId id = BarrierRecordsActivities.id(input);
    var pass = new HostPass(tables, commands, id);
    return repeat(
        id,
        (row, now, heartbeat) -> {
          if (row.state() == BarrierState.HALTING && row.abortedBy().isEmpty()) {
            pass.halt(row, now, heartbeat);
          }
          // Of the time of the pass: a deadline that comes during it has left hosts pending.
          BarrierStatus status = status(id, now);
          boolean waits = status.state() == BarrierState.HALTING && status.decision() instanceof AwaitHosts;
          return new PassOutcome<>(status, !waits);
        });
  }

  @Override
  public BarrierStatus resumeHosts(BarrierInput input) {
    BarrierId id = BarrierRecordsActivities.id(input);
    var pass = new HostPass(tables, commands, id);
    var looksForMigration = new AtomicBoolean(true);
    return repeat(
        id,
        (row, now, heartbeat) -> {
          if (row.state() == BarrierState.RESUMING) {
            pass.resume(row, now, heartbeat);
          }
          // Hosts come first: an upgrade is aborted by a worker, which may be unavailable.
          if (looksForMigration.getAndSet(false)) {
            abortMigration(row);
          }
          BarrierStatus status = status(id, now);
          boolean waits = status.state() == BarrierState.RESUMING && status.counts().halted() > 0;
          return new PassOutcome<>(status, !waits);
        });
  }

  /// Aborts the upgrade that is the migration, if the barrier was aborted after the last pass that looked for it.
  private void abortMigration(BarrierRow row) {
    if (row.abortedBy().isPresent() && BarrierJson.read(row.spec()).migratedDevice().isPresent()) {
      var _ = migrator.migrate(row);
    }
  }

  @Override
  public MigrationResult migrateDevice(BarrierInput input) {
    return repeat(
        BarrierRecordsActivities.id(input),
        (row, now, _) -> {
          MigrationResult result = migrator.migrate(row);
          boolean isOver = !result.isRunning() || row.abortedBy().isPresent() || !now.isBefore(row.untilAt());
          return new PassOutcome<>(result, isOver);
        });
  }

  @Override
  public BarrierResult end(BarrierInput input) {
    BarrierId id = BarrierRecordsActivities.id(input);
    return retryable(() -> {
      BarrierRow row = tables.barriers().find(id).orElseThrow();
      tables.barriers().releaseDevices(id);
      Optional<String> rollout = row.endedAt().isPresent() ? row.rollout() : rollouts.startIfWanted(row);
      BarrierRow ended = tables.rollouts().database().inTransaction(() -> tables.barriers().recordEnd(id, rollout));
      return new BarrierResult(ended.outcome().orElseThrow(), ended.message().orElse(""));
    });
  }

  private BarrierStatus status(BarrierId id, Instant now) {
    return BarrierStatusReader.read(tables, tables.barriers().find(id).orElseThrow(), now);
  }

  /// Repeats a pass until its last, or until the activity has worked for long enough.
  private <T> T repeat(BarrierId id, Pass<T> pass) {
    ActivityExecutionContext context = Activity.getExecutionContext();
    Instant end = clock.instant().plus(BarrierTimeouts.MAX_RUN);
    while (true) {
      Instant now = clock.instant();
      PassOutcome<T> outcome =
          retryable(() -> {
            BarrierRow row = tables.barriers().find(id).orElseThrow();
            Runnable heartbeat = () -> context.heartbeat(row.state().toString());
            heartbeat.run();
            return pass.run(row, now, heartbeat);
          });
      if (outcome.isLast() || !now.isBefore(end)) {
        return outcome.value();
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_INTERVAL);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ActivityFailures.retryable("ServerShutdown", "interrupted").build();
    }
  }

  private static <T> T retryable(Supplier<T> work) {
    try {
      return work.get();
    } catch (DatabaseUnavailable | TemporalUnavailable | NatsUnavailable | NoCommandKey e) {
      throw ActivityFailures.retryable(e).build();
    }
  }
}
