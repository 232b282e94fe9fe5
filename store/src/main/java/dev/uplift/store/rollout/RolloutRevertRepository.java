package dev.uplift.store.rollout;

import static dev.uplift.fleet.rollout.TargetState.ENDED;
import static dev.uplift.fleet.rollout.TargetState.REVERTED;
import static dev.uplift.fleet.rollout.TargetState.REVERTING;
import static dev.uplift.fleet.rollout.TargetState.REVERT_PENDING;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.Database;
import dev.uplift.store.EnumCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The way back of devices of a rollout, in the table `rollout_target`: each method is a step, as
/// those of [RolloutTargetRepository] are, and as safe to repeat.
public final class RolloutRevertRepository {
  private final Database database;

  public RolloutRevertRepository(Database database) {
    this.database = database;
  }

  /// Those of a wave with one of these verdicts are to go back: ended → to-revert.
  ///
  /// @return how many
  public int markToRevert(RolloutId id, int wave, Set<TargetResult> verdicts) {
    return markToRevert(id, ENDED, wave, verdicts);
  }

  /// The same of those that were to go back before and did not.
  ///
  /// @return how many
  public int markToRevertAgain(RolloutId id, int wave, Set<TargetResult> verdicts) {
    return markToRevert(id, REVERTED, wave, verdicts);
  }

  private int markToRevert(RolloutId id, TargetState from, int wave, Set<TargetResult> verdicts) {
    return database.withHandle(handle ->
        verdicts.stream()
            .mapToInt(result ->
                new TargetStatements(handle, id)
                    .transitionStatement(
                        from,
                        REVERT_PENDING,
                        """
                        , not_before = NULL, revert_upgrade = NULL, revert_outcome = NULL
                        WHERE wave = :wave AND result = :result\
                        """)
                    .bind("wave", wave)
                    .bind("result", EnumCodec.encode(result))
                    .execute())
            .sum());
  }

  /// They are about to be taken back: to-revert → reverting. Whoever finds one without an upgrade
  /// in the records starts it, under the id that it has from now on: [RolloutQueue#revertingWithoutUpgrade].
  ///
  /// @return those that are now, in the order given
  public List<TargetRow> markReverting(RolloutId id, List<String> devices) {
    return database.withHandle(handle -> {
      var table = new TargetStatements(handle, id);
      var rows = new ArrayList<TargetRow>(devices.size());
      for (String device : devices) {
        String next =
            """
            , not_before = NULL, revert_count = revert_count + 1,
            revert_upgrade = rollout || '.' || device || '.r' || CAST(revert_count + 1 AS VARCHAR)\
            """;
        if (table.transition(device, REVERT_PENDING, REVERTING, next)) {
          table.find(device).ifPresent(rows::add);
        }
      }
      return rows;
    });
  }

  /// It was not begun: reverting → to-revert.
  public boolean returnToRevertQueue(RolloutId id, String device, Instant notBefore) {
    return database.withHandle(handle ->
        new TargetStatements(handle, id)
                .transitionStatement(
                    REVERTING,
                    REVERT_PENDING,
                    ", revert_upgrade = NULL, not_before = :notBefore WHERE device = :device")
                .bind("notBefore", notBefore)
                .bind("device", device)
                .execute()
            > 0);
  }

  /// None is begun any more: to-revert → ended, as they were.
  ///
  /// @return how many
  public int cancelPending(RolloutId id) {
    return database.withHandle(handle ->
        new TargetStatements(handle, id)
            .transitionStatement(REVERT_PENDING, ENDED, ", not_before = NULL WHERE TRUE")
            .execute());
  }

  /// The upgrade that takes it back has ended: reverting → reverted.
  ///
  /// @param now what it is from now on; it is not judged
  public boolean markReverted(RolloutId id, String device, Outcome outcome, TargetResult now) {
    return database.withHandle(handle ->
        new TargetStatements(handle, id)
                .transitionStatement(
                    REVERTING,
                    REVERTED,
                    """
                    , revert_outcome = :outcome, result = :result, result_number = NULL
                    WHERE device = :device\
                    """)
                .bind("outcome", EnumCodec.encode(outcome))
                .bind("result", EnumCodec.encode(now))
                .bind("device", device)
                .execute()
            > 0);
  }
}
