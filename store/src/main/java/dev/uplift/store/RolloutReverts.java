package dev.uplift.store;

import static dev.uplift.fleet.rollout.TargetState.ENDED;
import static dev.uplift.fleet.rollout.TargetState.REVERTED;
import static dev.uplift.fleet.rollout.TargetState.REVERTING;
import static dev.uplift.fleet.rollout.TargetState.TO_REVERT;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The way back of devices of a rollout, in the table `rollout_target`: each method is a step, as
/// those of [RolloutTargets] are, and as safe to repeat.
public final class RolloutReverts {
  private final Database database;

  public RolloutReverts(Database database) {
    this.database = database;
  }

  /// Those of a wave with one of these verdicts are to go back: ended → to-revert.
  ///
  /// @return how many
  public int mark(RolloutId id, int wave, Set<Verdict> verdicts) {
    return mark(id, ENDED, wave, verdicts);
  }

  /// The same of those that were to go back before and did not.
  ///
  /// @return how many
  public int markAgain(RolloutId id, int wave, Set<Verdict> verdicts) {
    return mark(id, REVERTED, wave, verdicts);
  }

  private int mark(RolloutId id, TargetState from, int wave, Set<Verdict> verdicts) {
    return database.run(handle ->
        verdicts.stream()
            .mapToInt(verdict ->
                new TargetTable(handle, id)
                    .moving(
                        from,
                        TO_REVERT,
                        """
                        , not_before = NULL, revert_upgrade = NULL, revert_outcome = NULL
                        WHERE wave = :wave AND verdict = :verdict\
                        """)
                    .bind("wave", wave)
                    .bind("verdict", Words.write(verdict))
                    .execute())
            .sum());
  }

  /// They are about to be taken back: to-revert → reverting. Whoever finds one without an upgrade
  /// in the records starts it, under the id that it has from now on: [RolloutQueue#revertsToStart].
  ///
  /// @return those that are now, in the order given
  public List<TargetRow> begin(RolloutId id, List<String> devices) {
    return database.run(handle -> {
      var table = new TargetTable(handle, id);
      var rows = new ArrayList<TargetRow>(devices.size());
      for (String device : devices) {
        String next =
            """
            , not_before = NULL, reverts = reverts + 1,
            revert_upgrade = rollout || '.' || device || '.r' || CAST(reverts + 1 AS VARCHAR)\
            """;
        if (table.move(device, TO_REVERT, REVERTING, next)) {
          table.find(device).ifPresent(rows::add);
        }
      }
      return rows;
    });
  }

  /// It was not begun: reverting → to-revert.
  public boolean putBack(RolloutId id, String device, Instant notBefore) {
    return database.run(handle ->
        new TargetTable(handle, id)
                .moving(
                    REVERTING,
                    TO_REVERT,
                    ", revert_upgrade = NULL, not_before = :notBefore WHERE device = :device")
                .bind("notBefore", notBefore)
                .bind("device", device)
                .execute()
            > 0);
  }

  /// None is begun any more: to-revert → ended, as they were.
  ///
  /// @return how many
  public int giveUp(RolloutId id) {
    return database.run(handle ->
        new TargetTable(handle, id)
            .moving(TO_REVERT, ENDED, ", not_before = NULL WHERE TRUE")
            .execute());
  }

  /// The upgrade that takes it back has ended: reverting → reverted.
  ///
  /// @param now what it is from now on; it is not judged
  public boolean end(RolloutId id, String device, Outcome outcome, Verdict now) {
    return database.run(handle ->
        new TargetTable(handle, id)
                .moving(
                    REVERTING,
                    REVERTED,
                    """
                    , revert_outcome = :outcome, verdict = :verdict, verdict_number = NULL
                    WHERE device = :device\
                    """)
                .bind("outcome", Words.write(outcome))
                .bind("verdict", Words.write(now))
                .bind("device", device)
                .execute()
            > 0);
  }
}
