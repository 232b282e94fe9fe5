package dev.uplift.store.rollout;

import static dev.uplift.fleet.rollout.TargetState.ENDED;
import static dev.uplift.fleet.rollout.TargetState.PENDING;
import static dev.uplift.fleet.rollout.TargetState.PROCEEDING;
import static dev.uplift.fleet.rollout.TargetState.REVERTED;
import static dev.uplift.fleet.rollout.TargetState.SKIPPED;
import static dev.uplift.fleet.rollout.TargetState.STARTED;
import static dev.uplift.fleet.rollout.TargetState.STARTING;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.Database;
import dev.uplift.store.EnumCodec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The table `rollout_target`: each device of a rollout, and where it is. A method here is a step
/// of devices from one [TargetState] to the next; a device that is elsewhere stays as it is, so
/// each step is safe to repeat. Who chooses devices does so under the lock of the rollout,
/// [RolloutRepository#lock]; who reports what came of a start needs none. The way back is [RolloutRevertRepository].
public final class RolloutTargetRepository {
  private final Database database;
  private final InstantSource clock;

  public RolloutTargetRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// They are about to be started: pending → starting. Whoever finds them so starts them, under the
  /// id of the upgrade that they have from now on.
  ///
  /// @param ahead to prepare, before their window
  /// @return those that were pending, as they are now, in the order given
  public List<TargetRow> markStarting(RolloutId id, List<String> devices, boolean ahead) {
    return moveAll(
        id,
        devices,
        (table, device) ->
            table
                    .transitionStatement(
                        PENDING,
                        STARTING,
                        """
                        , prepare_ahead = :prepare_ahead, previous_started_at = started_at, started_at = :now,
                        not_before = NULL,
                        upgrade = rollout || '.' || device || '.' || CAST(attempt AS VARCHAR)
                        WHERE device = :device\
                        """)
                    .bind("prepare_ahead", ahead)
                    .bind("now", clock.instant())
                    .bind("device", device)
                    .execute()
                > 0);
  }

  /// Its upgrade runs, or has ended already: starting → started.
  public boolean markStarted(RolloutId id, String device) {
    return move(id, device, STARTING, STARTED, "");
  }

  /// It was not started, for another upgrade of it runs: starting → pending.
  public boolean returnToPending(RolloutId id, String device, Instant notBefore) {
    return database.withHandle(handle ->
        new TargetStatements(handle, id)
                .transitionStatement(
                    STARTING,
                    PENDING,
                    """
                    , prepare_ahead = FALSE, started_at = previous_started_at, previous_started_at = NULL,
                    upgrade = NULL, not_before = :notBefore
                    WHERE device = :device\
                    """)
                .bind("notBefore", notBefore)
                .bind("device", device)
                .execute()
            > 0);
  }

  /// They have been started ahead and are about to be told to go on: started → proceeding.
  ///
  /// @return those that are now, in the order given
  public List<TargetRow> markProceeding(RolloutId id, List<String> devices) {
    return moveAll(
        id,
        devices,
        (table, device) ->
            table
                    .transitionStatement(
                        STARTED,
                        PROCEEDING,
                        ", prepare_ahead = FALSE, started_at = :now WHERE prepare_ahead AND device = :device")
                    .bind("now", clock.instant())
                    .bind("device", device)
                    .execute()
                > 0);
  }

  /// It was told to go on: proceeding → started.
  public boolean markProceeded(RolloutId id, String device) {
    return move(id, device, PROCEEDING, STARTED, "");
  }

  /// It was not told to go on, for the rollout is paused: proceeding → started, and ahead again.
  public boolean returnToPrepared(RolloutId id, String device) {
    return move(id, device, PROCEEDING, STARTED, ", prepare_ahead = TRUE");
  }

  /// Nobody knows of its upgrade, as after tables were restored from an older copy: started →
  /// starting, under the same id.
  public boolean returnToStarting(RolloutId id, String device) {
    return move(id, device, STARTED, STARTING, "");
  }

  /// What came of them stands beside them: started or proceeding → ended. Each gets the next number
  /// of the rollout, in the order given, and each attempt gets one once.
  ///
  /// @throws RuntimeException if one of them is in no such state: then nothing is written
  public void recordResults(RolloutId id, List<NewTargetResult> verdicts) {
    database.withHandle(handle -> {
      new TargetResultWriter(handle, id).writeResults(verdicts);
      return 0;
    });
  }

  /// They had ended well and did not stay so: the result becomes [TargetResult#UNHEALTHY], with a
  /// number of its own. How the upgrade ended stays in its own row.
  ///
  /// @return how many had ended well until now
  public int markUnhealthy(RolloutId id, List<NewTargetResult> verdicts) {
    return database.withHandle(handle -> new TargetResultWriter(handle, id).writeUnhealthy(verdicts));
  }

  /// It is tried once more: ended → pending. Its result is none any more and is not judged; its
  /// first error stays.
  public boolean retry(RolloutId id, String device, Optional<Instant> notBefore) {
    return database.withHandle(handle -> {
      var table = new TargetStatements(handle, id);
      return table
              .transitionStatement(ENDED, PENDING, TargetResultWriter.RESET_FOR_RETRY + " WHERE device = :device")
              .bindByType("notBefore", notBefore.orElse(null), Instant.class)
              .bind("device", device)
              .execute()
          > 0;
    });
  }

  /// All with one of these verdicts are tried once more, at once.
  ///
  /// @param codes of their first errors; empty: any, and those without one
  /// @return how many
  public int retry(RolloutId id, Set<TargetResult> verdicts, Set<String> codes) {
    return database.withHandle(handle -> {
      var table = new TargetStatements(handle, id);
      int devices = 0;
      for (TargetResult result : verdicts) {
        for (Optional<String> code : TargetResultWriter.codesOrAny(codes)) {
          for (TargetState from : List.of(ENDED, REVERTED)) {
            devices +=
                table
                    .transitionStatement(
                        from,
                        PENDING,
                        TargetResultWriter.RESET_FOR_RETRY
                            + " WHERE result = :result"
                            + (code.isPresent() ? " AND error_code = :code" : ""))
                    .bindByType("notBefore", null, Instant.class)
                    .bind("result", EnumCodec.encode(result))
                    .bind("code", code.orElse(null))
                    .execute();
          }
        }
      }
      return devices;
    });
  }

  /// It is left out: pending → skipped.
  public boolean skip(RolloutId id, String device) {
    return move(id, device, PENDING, SKIPPED, ", not_before = NULL");
  }

  /// What is pending of a wave is left out.
  ///
  /// @return how many
  public int skipPending(RolloutId id, int wave) {
    return database.withHandle(handle ->
        new TargetStatements(handle, id)
            .transitionStatement(PENDING, SKIPPED, ", not_before = NULL WHERE wave = :wave")
            .bind("wave", wave)
            .execute());
  }

  /// They take part from now on, as the last of a wave. Of those that do already, who was skipped
  /// is pending again in its own wave; the others stay as they are.
  ///
  /// @return how many are to come that were not
  public int addTargets(RolloutId id, int wave, Collection<String> devices) {
    return database.withHandle(handle -> new TargetInsertion(handle, id).insert(wave, devices));
  }

  private boolean move(
      RolloutId id, String device, TargetState from, TargetState next, String set) {
    return database.withHandle(handle -> new TargetStatements(handle, id).transition(device, from, next, set));
  }

  private interface Transition {
    boolean apply(TargetStatements table, String device);
  }

  private List<TargetRow> moveAll(RolloutId id, List<String> devices, Transition transition) {
    return database.withHandle(handle -> {
      var table = new TargetStatements(handle, id);
      Predicate<String> moved = device -> transition.apply(table, device);
      var rows = new ArrayList<TargetRow>(devices.size());
      devices.stream().filter(moved).forEach(device -> table.find(device).ifPresent(rows::add));
      return rows;
    });
  }
}
