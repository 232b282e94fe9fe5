package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.EnumCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/// Writes what came of devices, and numbers it, within one transaction.
final class TargetResultWriter {
  /// What changes in a device that is tried once more, with `:notBefore`.
  static final String RESET_FOR_RETRY =
      """
      , attempt = attempt + 1, prepare_ahead = FALSE, not_before = :notBefore, upgrade = NULL, result = NULL,
      result_number = NULL, ended_at = NULL, revert_upgrade = NULL, revert_outcome = NULL\
      """;

  private static final String UPDATE_RESULT =
      """
      UPDATE rollout_target SET state = 'ended', prepare_ahead = FALSE, result = :result,
        result_number = :number, changed = changed OR :touched, ended_at = :at,
        error_text = CASE WHEN error_code IS NULL THEN :text ELSE error_text END,
        error_class = CASE WHEN error_code IS NULL THEN :class ELSE error_class END,
        error_code = CASE WHEN error_code IS NULL THEN :code ELSE error_code END
      WHERE tenant = :tenant AND rollout = :rollout AND device = :device\
      """;

  private final Handle handle;
  private final RolloutId id;
  private final RolloutStatements rollouts;

  TargetResultWriter(Handle handle, RolloutId id) {
    this.handle = handle;
    this.id = id;
    this.rollouts = new RolloutStatements(handle);
  }

  /// No codes are any code.
  static List<Optional<String>> codesOrAny(Set<String> codes) {
    return codes.isEmpty() ? List.of(Optional.empty()) : codes.stream().map(Optional::of).toList();
  }

  void writeResults(List<NewTargetResult> verdicts) {
    write(
        rollouts.lockExisting(id).lastResultNumber(), verdicts, UPDATE_RESULT + " AND state IN ('started', 'proceeding')");
    rollouts.executeBatch(
        id,
        """
        UPDATE rollout_wave SET last_ended_at = :at
        WHERE tenant = :tenant AND rollout = :rollout
          AND number = (SELECT wave FROM rollout_target t WHERE t.tenant = rollout_wave.tenant
            AND t.rollout = rollout_wave.rollout AND t.device = :device)
          AND (last_ended_at IS NULL OR last_ended_at < :at)\
        """,
        verdicts,
        (batch, one) -> batch.bind("device", one.device()).bind("at", one.endedAt()));
  }

  int writeUnhealthy(List<NewTargetResult> verdicts) {
    long last = rollouts.lockExisting(id).lastResultNumber();
    var table = new TargetStatements(handle, id);
    List<NewTargetResult> turned =
        verdicts.stream()
            .filter(one ->
                table
                    .find(one.device())
                    .filter(row -> row.state() == TargetState.ENDED)
                    .flatMap(TargetRow::result)
                    .filter(TargetResult::isSuccess)
                    .isPresent())
            .toList();
    write(last, turned, UPDATE_RESULT + " AND state = 'ended'");
    return turned.size();
  }

  private void write(long last, List<NewTargetResult> verdicts, String sql) {
    record Numbered(long number, NewTargetResult result) {}
    var numbered = new ArrayList<Numbered>(verdicts.size());
    verdicts.forEach(one -> numbered.add(new Numbered(last + numbered.size() + 1, one)));
    int[] changed =
        rollouts.executeBatch(
            id,
            sql,
            numbered,
            (batch, one) -> bindResult(batch, one.result()).bind("number", one.number()));
    for (int i = 0; i < changed.length; i++) {
      if (changed[i] != 1) {
        throw new ConcurrentModification("device " + verdicts.get(i).device() + " of rollout " + id);
      }
    }
    rollouts.update(id, "last_result_number = " + (last + verdicts.size()));
  }

  private static PreparedBatch bindResult(PreparedBatch batch, NewTargetResult one) {
    return batch
        .bind("device", one.device())
        .bind("result", EnumCodec.encode(one.result()))
        .bind("touched", one.changed())
        .bind("at", one.endedAt())
        .bind("code", one.error().map(TargetError::code).orElse(null))
        .bind("class", one.error().map(TargetError::errorClass).orElse(null))
        .bind("text", one.error().map(TargetError::text).orElse(null));
  }
}
