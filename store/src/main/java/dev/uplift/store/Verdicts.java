package dev.uplift.store;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/// Writes what came of devices, and numbers it, within one transaction.
final class Verdicts {
  /// What changes in a device that is tried once more, with `:notBefore`.
  static final String AGAIN =
      """
      , attempt = attempt + 1, ahead = FALSE, not_before = :notBefore, upgrade = NULL, verdict = NULL,
      verdict_number = NULL, ended_at = NULL, revert_upgrade = NULL, revert_outcome = NULL\
      """;

  private static final String SET =
      """
      UPDATE rollout_target SET state = 'ended', ahead = FALSE, verdict = :verdict,
        verdict_number = :number, touched = touched OR :touched, ended_at = :at,
        error_text = CASE WHEN error_code IS NULL THEN :text ELSE error_text END,
        error_class = CASE WHEN error_code IS NULL THEN :class ELSE error_class END,
        error_code = CASE WHEN error_code IS NULL THEN :code ELSE error_code END
      WHERE tenant = :tenant AND rollout = :rollout AND device = :device\
      """;

  private final Handle handle;
  private final RolloutId id;
  private final RolloutTable rollouts;

  Verdicts(Handle handle, RolloutId id) {
    this.handle = handle;
    this.id = id;
    this.rollouts = new RolloutTable(handle);
  }

  /// No codes are any code.
  static List<Optional<String>> each(Set<String> codes) {
    return codes.isEmpty() ? List.of(Optional.empty()) : codes.stream().map(Optional::of).toList();
  }

  void end(List<TargetVerdict> verdicts) {
    write(
        rollouts.locked(id).verdicts(), verdicts, SET + " AND state IN ('started', 'proceeding')");
    rollouts.each(
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

  int unhealthy(List<TargetVerdict> verdicts) {
    long last = rollouts.locked(id).verdicts();
    var table = new TargetTable(handle, id);
    List<TargetVerdict> turned =
        verdicts.stream()
            .filter(one ->
                table
                    .find(one.device())
                    .filter(row -> row.state() == TargetState.ENDED)
                    .flatMap(TargetRow::verdict)
                    .filter(Verdict::isSuccess)
                    .isPresent())
            .toList();
    write(last, turned, SET + " AND state = 'ended'");
    return turned.size();
  }

  private void write(long last, List<TargetVerdict> verdicts, String sql) {
    record Numbered(long number, TargetVerdict verdict) {}
    var numbered = new ArrayList<Numbered>(verdicts.size());
    verdicts.forEach(one -> numbered.add(new Numbered(last + numbered.size() + 1, one)));
    int[] changed =
        rollouts.each(
            id,
            sql,
            numbered,
            (batch, one) -> bind(batch, one.verdict()).bind("number", one.number()));
    for (int i = 0; i < changed.length; i++) {
      if (changed[i] != 1) {
        throw new Overtaken("device " + verdicts.get(i).device() + " of rollout " + id);
      }
    }
    rollouts.update(id, "verdicts = " + (last + verdicts.size()));
  }

  private static PreparedBatch bind(PreparedBatch batch, TargetVerdict one) {
    return batch
        .bind("device", one.device())
        .bind("verdict", Words.write(one.verdict()))
        .bind("touched", one.touched())
        .bind("at", one.endedAt())
        .bind("code", one.error().map(TargetError::code).orElse(null))
        .bind("class", one.error().map(TargetError::errorClass).orElse(null))
        .bind("text", one.error().map(TargetError::text).orElse(null));
  }
}
