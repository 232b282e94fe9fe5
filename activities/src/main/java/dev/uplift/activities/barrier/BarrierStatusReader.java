package dev.uplift.activities.barrier;

import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.store.barrier.BarrierHostRow;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.workflows.barrier.BarrierStatus;
import java.time.Instant;
import java.util.List;

/// Reads where a barrier is.
final class BarrierStatusReader {
  /// Of more, the first are shown.
  private static final int MAX_MISSING = 20;

  private BarrierStatusReader() {}

  static BarrierStatus read(BarrierRepositories tables, BarrierRow row, Instant now) {
    List<BarrierHostRow> missing = tables.hosts().listInState(row.id(), BarrierHostState.MISSING);
    return new BarrierStatus(
        row.state(),
        tables.barriers().count(row.id()),
        !now.isBefore(row.deadlineAt()),
        BarrierJson.read(row.spec()).whenNotHalted(),
        row.continuedBy(),
        row.abortedBy(),
        missing.stream().limit(MAX_MISSING).map(host -> host.host() + ": " + host.detail()).toList(),
        row.outcome(),
        row.message().orElse(""));
  }
}
