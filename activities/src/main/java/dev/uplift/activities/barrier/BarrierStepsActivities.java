package dev.uplift.activities.barrier;

import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.barrier.BarrierDecision.AwaitHosts;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierState;
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
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/// Works on the hosts of barriers: pass after pass, one a second, until the workflow has something to decide.
@Singleton
public final class BarrierStepsActivities implements BarrierSteps {
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  private final BarrierRepositories tables;
  private final BarrierCommandIssuer commands;
  private final BarrierMigrator migrator;
  private final BarrierRolloutStarter rollouts;

  BarrierStepsActivities(
      BarrierRepositories tables,
      BarrierCommandIssuer commands,
      BarrierMigrator migrator,
      BarrierRolloutStarter rollouts) {
    this.tables = tables;
    this.commands = commands;
    this.migrator = migrator;
    this.rollouts = rollouts;
  }

  @Override
  public BarrierStatus haltHosts(BarrierInput input) {
    BarrierId id = BarrierRecordsActivities.id(input);
    var pass = new HostPass(tables, commands, id);
    return repeat(
        id,
        (row, heartbeat) -> {
          if (row.state() == BarrierState.HALTING && row.abortedBy().isEmpty()) {
            pass.halt(row, Instant.now(), heartbeat);
          }
          BarrierStatus status = status(id);
          boolean waits = status.state() == BarrierState.HALTING && status.decision() instanceof AwaitHosts;
          return waits ? Optional.empty() : Optional.of(status);
        },
        () -> status(id));
  }

  @Override
  public BarrierStatus resumeHosts(BarrierInput input) {
    BarrierId id = BarrierRecordsActivities.id(input);
    var pass = new HostPass(tables, commands, id);
    return repeat(
        id,
        (row, heartbeat) -> {
          if (row.state() == BarrierState.RESUMING) {
            pass.resume(row, Instant.now(), heartbeat);
          }
          BarrierStatus status = status(id);
          boolean waits = status.state() == BarrierState.RESUMING && status.counts().halted() > 0;
          return waits ? Optional.empty() : Optional.of(status);
        },
        () -> status(id));
  }

  @Override
  public MigrationResult migrateDevice(BarrierInput input) {
    BarrierId id = BarrierRecordsActivities.id(input);
    return repeat(
        id,
        (row, _) -> {
          MigrationResult result = migrator.migrate(row);
          boolean isOver = !result.isRunning() || row.abortedBy().isPresent() || !Instant.now().isBefore(row.untilAt());
          return isOver ? Optional.of(result) : Optional.empty();
        },
        () -> new MigrationResult(true, false, ""));
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

  private BarrierStatus status(BarrierId id) {
    return BarrierStatusReader.read(tables, tables.barriers().find(id).orElseThrow(), Instant.now());
  }

  /// Repeats a pass until it returns something, or the activity has worked for long enough.
  private <T> T repeat(BarrierId id, BiFunction<BarrierRow, Runnable, Optional<T>> pass, Supplier<T> unfinished) {
    ActivityExecutionContext context = Activity.getExecutionContext();
    Instant end = Instant.now().plus(BarrierTimeouts.MAX_RUN);
    while (Instant.now().isBefore(end)) {
      Optional<T> result =
          retryable(() -> {
            BarrierRow row = tables.barriers().find(id).orElseThrow();
            Runnable heartbeat = () -> context.heartbeat(row.state().toString());
            heartbeat.run();
            return pass.apply(row, heartbeat);
          });
      if (result.isPresent()) {
        return result.get();
      }
      pause();
    }
    return retryable(unfinished);
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
