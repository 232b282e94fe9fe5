package dev.uplift.store;

import static dev.uplift.fleet.rollout.TargetState.ENDED;
import static dev.uplift.fleet.rollout.TargetState.PENDING;
import static dev.uplift.fleet.rollout.TargetState.PROCEEDING;
import static dev.uplift.fleet.rollout.TargetState.REVERTED;
import static dev.uplift.fleet.rollout.TargetState.SKIPPED;
import static dev.uplift.fleet.rollout.TargetState.STARTED;
import static dev.uplift.fleet.rollout.TargetState.STARTING;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
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
/// [Rollouts#lock]; who reports what came of a start needs none. The way back is [RolloutReverts].
public final class RolloutTargets {
  private final Database database;
  private final InstantSource clock;

  public RolloutTargets(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// They are about to be started: pending → starting. Whoever finds them so starts them, under the
  /// id of the upgrade that they have from now on.
  ///
  /// @param ahead to prepare, before their window
  /// @return those that were pending, as they are now, in the order given
  public List<TargetRow> begin(RolloutId id, List<String> devices, boolean ahead) {
    return moveAll(
        id,
        devices,
        (table, device) ->
            table
                    .moving(
                        PENDING,
                        STARTING,
                        """
                        , ahead = :ahead, started_before = started_at, started_at = :now,
                        not_before = NULL,
                        upgrade = rollout || '.' || device || '.' || CAST(attempt AS VARCHAR)
                        WHERE device = :device\
                        """)
                    .bind("ahead", ahead)
                    .bind("now", clock.instant())
                    .bind("device", device)
                    .execute()
                > 0);
  }

  /// Its upgrade runs, or has ended already: starting → started.
  public boolean started(RolloutId id, String device) {
    return move(id, device, STARTING, STARTED, "");
  }

  /// It was not started, for another upgrade of it runs: starting → pending.
  public boolean putBack(RolloutId id, String device, Instant notBefore) {
    return database.run(handle ->
        new TargetTable(handle, id)
                .moving(
                    STARTING,
                    PENDING,
                    """
                    , ahead = FALSE, started_at = started_before, started_before = NULL,
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
  public List<TargetRow> proceed(RolloutId id, List<String> devices) {
    return moveAll(
        id,
        devices,
        (table, device) ->
            table
                    .moving(
                        STARTED,
                        PROCEEDING,
                        ", ahead = FALSE, started_at = :now WHERE ahead AND device = :device")
                    .bind("now", clock.instant())
                    .bind("device", device)
                    .execute()
                > 0);
  }

  /// It was told to go on: proceeding → started.
  public boolean proceeded(RolloutId id, String device) {
    return move(id, device, PROCEEDING, STARTED, "");
  }

  /// It was not told to go on, for the rollout is paused: proceeding → started, and ahead again.
  public boolean waitsOn(RolloutId id, String device) {
    return move(id, device, PROCEEDING, STARTED, ", ahead = TRUE");
  }

  /// Nobody knows of its upgrade, as after tables were restored from an older copy: started →
  /// starting, under the same id.
  public boolean startAgain(RolloutId id, String device) {
    return move(id, device, STARTED, STARTING, "");
  }

  /// What came of them stands beside them: started or proceeding → ended. Each gets the next number
  /// of the rollout, in the order given, and each attempt gets one once.
  ///
  /// @throws RuntimeException if one of them is in no such state: then nothing is written
  public void end(RolloutId id, List<TargetVerdict> verdicts) {
    database.run(handle -> {
      new Verdicts(handle, id).end(verdicts);
      return 0;
    });
  }

  /// They had ended well and did not stay so: the verdict becomes [Verdict#UNHEALTHY], with a
  /// number of its own. How the upgrade ended stays in its own row.
  ///
  /// @return how many had ended well until now
  public int unhealthy(RolloutId id, List<TargetVerdict> verdicts) {
    return database.run(handle -> new Verdicts(handle, id).unhealthy(verdicts));
  }

  /// It is tried once more: ended → pending. Its verdict is none any more and is not judged; its
  /// first error stays.
  public boolean retry(RolloutId id, String device, Optional<Instant> notBefore) {
    return database.run(handle -> {
      var table = new TargetTable(handle, id);
      return table
              .moving(ENDED, PENDING, Verdicts.AGAIN + " WHERE device = :device")
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
  public int retry(RolloutId id, Set<Verdict> verdicts, Set<String> codes) {
    return database.run(handle -> {
      var table = new TargetTable(handle, id);
      int devices = 0;
      for (Verdict verdict : verdicts) {
        for (Optional<String> code : Verdicts.each(codes)) {
          for (TargetState from : List.of(ENDED, REVERTED)) {
            devices +=
                table
                    .moving(
                        from,
                        PENDING,
                        Verdicts.AGAIN
                            + " WHERE verdict = :verdict"
                            + (code.isPresent() ? " AND error_code = :code" : ""))
                    .bindByType("notBefore", null, Instant.class)
                    .bind("verdict", Words.write(verdict))
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
  public int skipRest(RolloutId id, int wave) {
    return database.run(handle ->
        new TargetTable(handle, id)
            .moving(PENDING, SKIPPED, ", not_before = NULL WHERE wave = :wave")
            .bind("wave", wave)
            .execute());
  }

  /// They take part from now on, as the last of a wave. Of those that do already, who was skipped
  /// is pending again in its own wave; the others stay as they are.
  ///
  /// @return how many are to come that were not
  public int join(RolloutId id, int wave, Collection<String> devices) {
    return database.run(handle -> new Joining(handle, id).join(wave, devices));
  }

  private boolean move(
      RolloutId id, String device, TargetState from, TargetState next, String set) {
    return database.run(handle -> new TargetTable(handle, id).move(device, from, next, set));
  }

  private interface Step {
    boolean of(TargetTable table, String device);
  }

  private List<TargetRow> moveAll(RolloutId id, List<String> devices, Step step) {
    return database.run(handle -> {
      var table = new TargetTable(handle, id);
      Predicate<String> moved = device -> step.of(table, device);
      var rows = new ArrayList<TargetRow>(devices.size());
      devices.stream().filter(moved).forEach(device -> table.find(device).ifPresent(rows::add));
      return rows;
    });
  }
}
