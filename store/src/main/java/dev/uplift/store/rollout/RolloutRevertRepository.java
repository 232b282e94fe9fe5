package dev.uplift.store.rollout;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// The reverts of devices of a rollout, in the table `rollout_target`: each method moves devices from one state to the
/// next, as those of [RolloutTargetRepository] do, and is as safe to repeat.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutRevertRepository implements GenericRepository<TargetRow, String> {
  private static final String OF_ROLLOUT = " WHERE tenant = :tenant AND rollout = :rollout";
  private static final String KEY = OF_ROLLOUT + " AND device = :device";

  private final RolloutTargetRepository targets;

  protected RolloutRevertRepository(RolloutTargetRepository targets) {
    this.targets = targets;
  }

  /// Marks devices of a wave with one of these results for a revert: ended → revert-pending.
  ///
  /// @return how many
  public int markToRevert(RolloutId id, int wave, Set<TargetResult> results) {
    return markAll(id, "ended", wave, results);
  }

  /// [#markToRevert] for devices whose earlier revert failed.
  ///
  /// @return how many
  public int markToRevertAgain(RolloutId id, int wave, Set<TargetResult> results) {
    return markAll(id, "reverted", wave, results);
  }

  private int markAll(RolloutId id, String from, int wave, Set<TargetResult> results) {
    return results.stream()
        .mapToInt(result -> mark(id.tenant(), id.name(), from, wave, EnumCodec.encode(result)))
        .sum();
  }

  /// Marks devices that are about to be reverted: revert-pending → reverting. Whatever finds one without an upgrade in
  /// the records starts it, under the id that it has from now on: [RolloutQueue#revertingWithoutUpgrade].
  ///
  /// @return those that are now, in the order given
  public List<TargetRow> markReverting(RolloutId id, List<String> devices) {
    return devices.stream()
        .filter(device -> start(id.tenant(), id.name(), device) > 0)
        .flatMap(device -> targets.find(id, device).stream())
        .toList();
  }

  /// The revert was not started: reverting → revert-pending.
  public boolean returnToRevertQueue(RolloutId id, String device, Instant notBefore) {
    return undoStart(id.tenant(), id.name(), device, notBefore) > 0;
  }

  /// Starts no revert any more: revert-pending → ended, as the devices were.
  ///
  /// @return how many
  public int cancelPending(RolloutId id) {
    return cancelAll(id.tenant(), id.name());
  }

  /// The revert has ended: reverting → reverted.
  ///
  /// @param now the result from now on; it does not count
  public boolean markReverted(RolloutId id, String device, Outcome outcome, TargetResult now) {
    return end(id.tenant(), id.name(), device, EnumCodec.encode(outcome), EnumCodec.encode(now)) > 0;
  }

  @Query(
      """
      UPDATE rollout_target SET state = 'revert-pending', not_before = NULL, revert_upgrade = NULL,
        revert_outcome = NULL\
      """
          + OF_ROLLOUT
          + " AND wave = :wave AND result = :result AND state = :from")
  abstract int mark(String tenant, String rollout, String from, int wave, String result);

  @Query(
      """
      UPDATE rollout_target SET state = 'reverting', not_before = NULL,
        revert_count = revert_count + 1,
        revert_upgrade = rollout || '.' || device || '.r' || CAST(revert_count + 1 AS VARCHAR)\
      """
          + KEY
          + " AND state = 'revert-pending'")
  abstract int start(String tenant, String rollout, String device);

  @Query(
      """
      UPDATE rollout_target SET state = 'revert-pending', revert_upgrade = NULL,
        not_before = :notBefore\
      """
          + KEY
          + " AND state = 'reverting'")
  abstract int undoStart(String tenant, String rollout, String device, Instant notBefore);

  @Query("UPDATE rollout_target SET state = 'ended', not_before = NULL" + OF_ROLLOUT + " AND state = 'revert-pending'")
  abstract int cancelAll(String tenant, String rollout);

  @Query(
      """
      UPDATE rollout_target SET state = 'reverted', revert_outcome = :outcome, result = :result,
        result_number = NULL\
      """
          + KEY
          + " AND state = 'reverting'")
  abstract int end(String tenant, String rollout, String device, String outcome, String result);
}
