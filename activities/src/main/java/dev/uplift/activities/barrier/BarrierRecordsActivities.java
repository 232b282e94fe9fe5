package dev.uplift.activities.barrier;

import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.fleet.barrier.BarrierAction;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.workflows.barrier.BarrierInput;
import dev.uplift.workflows.barrier.BarrierRecords;
import dev.uplift.workflows.barrier.BarrierRequest;
import dev.uplift.workflows.barrier.BarrierStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// Reads and writes the row of a barrier for its workflow, under the lock of the row.
@Singleton
public final class BarrierRecordsActivities implements BarrierRecords {
  private final BarrierRepositories tables;

  BarrierRecordsActivities(BarrierRepositories tables) {
    this.tables = tables;
  }

  static BarrierId id(BarrierInput input) {
    return new BarrierId(input.tenant(), input.barrier());
  }

  @Override
  public BarrierStatus read(BarrierInput input) {
    return locked(input, this::status);
  }

  @Override
  public BarrierStatus recordHalted(BarrierInput input) {
    return locked(input, row -> status(tables.barriers().recordHalted(row.id(), tables.barriers().count(row.id()))));
  }

  @Override
  public BarrierStatus recordResuming(BarrierInput input, BarrierOutcome outcome, String message) {
    return locked(input, row -> status(tables.barriers().recordResuming(row.id(), outcome, message)));
  }

  @Override
  public RecordedRequest recordRequest(BarrierInput input, BarrierRequest request) {
    return locked(
        input,
        row -> {
          if (isDone(row, request.action())) {
            return new RecordedRequest("", status(row));
          }
          boolean isApproval = BarrierJson.read(row.spec()).migratedDevice().isEmpty();
          boolean isOver = !Instant.now().isBefore(row.untilAt());
          Optional<String> refusal = request.action().refusal(row.state(), isApproval, isOver);
          if (refusal.isPresent()) {
            return new RecordedRequest(refusal.get(), status(row));
          }
          record(row, request);
          return new RecordedRequest("", status(tables.barriers().find(row.id()).orElseThrow()));
        });
  }

  private static boolean isDone(BarrierRow row, BarrierAction action) {
    return switch (action) {
      case CONTINUE -> row.continuedBy().isPresent();
      case ABORT -> row.abortedBy().isPresent();
    };
  }

  private void record(BarrierRow row, BarrierRequest request) {
    switch (request.action()) {
      case CONTINUE -> tables.barriers().recordContinue(row.id(), request.by());
      case ABORT -> tables.barriers().recordAbort(row.id(), request.by(), request.reason());
    }
    tables
        .rollouts()
        .audit()
        .append(
            new AuditEntry(
                row.tenant(),
                request.by(),
                "barrier." + request.action(),
                "barrier/" + row.name(),
                request.address(),
                request.reason()));
  }

  private BarrierStatus status(BarrierRow row) {
    return BarrierStatusReader.read(tables, row, Instant.now());
  }

  private <T> T locked(BarrierInput input, Function<BarrierRow, T> work) {
    try {
      return tables
          .rollouts()
          .database()
          .inTransaction(() -> work.apply(tables.barriers().lock(id(input)).orElseThrow()));
    } catch (DatabaseUnavailable e) {
      throw ActivityFailures.retryable(e).build();
    }
  }
}
