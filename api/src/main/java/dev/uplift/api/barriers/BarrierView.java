package dev.uplift.api.barriers;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.fleet.barrier.BarrierCounts;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.store.barrier.BarrierHostRow;
import dev.uplift.store.barrier.BarrierRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A barrier as clients see it. Lists have neither `counts` nor `missing`.
///
/// @param outcome how it ended, or will have ended once its hosts have resumed
/// @param message how it ended, for people
/// @param deadlineAt by when its hosts have to have halted
/// @param until when every halted host resumes by itself
/// @param haltedAt since when the migration may begin
/// @param rollout that followed it
/// @param missing the first hundred of the hosts that have not halted
/// @param barrier what it asks for, defaults included
@Serdeable
record BarrierView(
    String name,
    @JsonProperty("package") String packageName,
    @Schema(implementation = BarrierState.class) String state,
    @Schema(implementation = BarrierOutcome.class) Optional<String> outcome,
    Optional<String> message,
    String createdBy,
    Instant createdAt,
    Instant deadlineAt,
    Instant until,
    Optional<Instant> haltedAt,
    Optional<String> continuedBy,
    Optional<String> abortedBy,
    Optional<String> abortReason,
    Optional<Instant> endedAt,
    Optional<String> rollout,
    Optional<BarrierCountsView> counts,
    Optional<List<BarrierHostView>> missing,
    @Schema(implementation = StartBarrierRequest.class) Map<String, Object> barrier) {

  /// The hosts of a barrier, by their states.
  @Serdeable
  record BarrierCountsView(int hosts, int pending, int halted, int missing, int resumed) {
    static BarrierCountsView of(BarrierCounts counts) {
      return new BarrierCountsView(
          counts.hosts(), counts.pending(), counts.halted(), counts.missing(), counts.resumed());
    }
  }

  static BarrierView summary(BarrierRow row) {
    return of(row, Optional.empty(), Optional.empty());
  }

  static BarrierView full(BarrierRow row, BarrierCounts counts, List<BarrierHostRow> missing) {
    return of(
        row,
        Optional.of(BarrierCountsView.of(counts)),
        Optional.of(missing.stream().limit(100).map(BarrierHostView::of).toList()));
  }

  private static BarrierView of(
      BarrierRow row, Optional<BarrierCountsView> counts, Optional<List<BarrierHostView>> missing) {
    return new BarrierView(
        row.name(),
        row.packageName(),
        row.state().toString(),
        row.outcome().map(BarrierOutcome::toString),
        row.message(),
        row.createdBy(),
        row.createdAt(),
        row.deadlineAt(),
        row.untilAt(),
        row.haltedAt(),
        row.continuedBy(),
        row.abortedBy(),
        row.abortReason().filter(text -> !text.isEmpty()),
        row.endedAt(),
        row.rollout(),
        counts,
        missing,
        StartBarrierRequest.of(BarrierJson.read(row.spec())).toMap());
  }
}
