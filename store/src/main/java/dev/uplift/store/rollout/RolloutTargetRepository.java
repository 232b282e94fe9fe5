package dev.uplift.store.rollout;

import static dev.uplift.fleet.rollout.TargetState.ENDED;
import static dev.uplift.fleet.rollout.TargetState.PENDING;
import static dev.uplift.fleet.rollout.TargetState.PROCEEDING;
import static dev.uplift.fleet.rollout.TargetState.SKIPPED;
import static dev.uplift.fleet.rollout.TargetState.STARTED;
import static dev.uplift.fleet.rollout.TargetState.STARTING;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The table `rollout_target`: each device of a rollout, and its state. A method here moves devices from one
/// [TargetState] to the next; a device in another state stays as it is, so each is safe to repeat. Devices are chosen
/// under the lock of the rollout, [RolloutRepository#lock]; the result of a start is recorded without it. Reverts are
/// in [RolloutRevertRepository].
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutTargetRepository implements GenericRepository<TargetRow, String> {
  private static final String OF_ROLLOUT = " WHERE tenant = :tenant AND rollout = :rollout";
  private static final String KEY = OF_ROLLOUT + " AND device = :device";

  private static final String SKIP =
      "UPDATE rollout_target SET state = 'skipped', not_before = NULL, offline_since = NULL";

  private static final String RETRY =
      """
      UPDATE rollout_target SET state = 'pending', attempt = attempt + 1, prepare_ahead = FALSE,
        not_before = :notBefore, upgrade = NULL, result = NULL, result_number = NULL,
        ended_at = NULL, revert_upgrade = NULL, revert_outcome = NULL, offline_since = NULL\
      """;

  private static final String RESULT =
      """
      UPDATE rollout_target SET state = 'ended', prepare_ahead = FALSE, result = :result,
        result_number = :number, changed = changed OR :touched, ended_at = :endedAt, offline_since = NULL,
        error_text = CASE WHEN error_code IS NULL THEN :text ELSE error_text END,
        error_class = CASE WHEN error_code IS NULL THEN :errorClass ELSE error_class END,
        error_code = CASE WHEN error_code IS NULL THEN :errorCode ELSE error_code END\
      """;

  private final StoreClock clock;
  private final RolloutWaveRepository waves;

  protected RolloutTargetRepository(StoreClock clock, RolloutWaveRepository waves) {
    this.clock = clock;
    this.waves = waves;
  }

  /// Marks the devices that are about to be started: pending → starting. Whatever finds them in this state starts them,
  /// under the id of the upgrade that they have from now on.
  ///
  /// @param ahead to prepare, before their window
  /// @return those that were pending, as they are now, in the order given
  public List<TargetRow> markStarting(RolloutId id, List<String> devices, boolean ahead) {
    return moveAll(id, devices, device -> start(id.tenant(), id.name(), device, ahead, clock.now()) > 0);
  }

  /// The upgrade of the device runs, or has ended already: starting → started.
  public boolean markStarted(RolloutId id, String device) {
    return move(id, device, STARTING, STARTED);
  }

  /// The device was not started, because another upgrade of it runs: starting → pending.
  public boolean returnToPending(RolloutId id, String device, Instant notBefore) {
    return undoStart(id.tenant(), id.name(), device, notBefore) > 0;
  }

  /// Marks devices that were started ahead and are about to proceed: started → proceeding.
  ///
  /// @return those that are now, in the order given
  public List<TargetRow> markProceeding(RolloutId id, List<String> devices) {
    return moveAll(id, devices, device -> proceed(id.tenant(), id.name(), device, clock.now()) > 0);
  }

  /// The upgrade of the device proceeds: proceeding → started.
  public boolean markProceeded(RolloutId id, String device) {
    return move(id, device, PROCEEDING, STARTED);
  }

  /// The upgrade did not proceed, because the rollout is paused: proceeding → started, and ahead again.
  public boolean returnToPrepared(RolloutId id, String device) {
    return returnToPrepared(id.tenant(), id.name(), device, List.of("proceeding")) > 0;
  }

  /// The upgrade has not obeyed the signal to proceed, whether that was recorded or not: proceeding or started →
  /// started, and ahead again. To be called under the lock of the rollout.
  public boolean revokeProceed(RolloutId id, String device) {
    return returnToPrepared(id.tenant(), id.name(), device, List.of("proceeding", "started")) > 0;
  }

  /// The upgrade is unknown, as after tables were restored: started → starting from now on, under the same id.
  public boolean returnToStarting(RolloutId id, String device) {
    return startAgain(id.tenant(), id.name(), device, clock.now()) > 0;
  }

  /// Records the results: started or proceeding → ended. Each gets the next number of the rollout, in the order given,
  /// and each attempt gets one once.
  ///
  /// @throws RuntimeException if one of the devices is in no such state: then nothing is written
  public void recordResults(RolloutId id, List<NewTargetResult> results) {
    long number = lockLastResultNumber(id.tenant(), id.name()).orElseThrow();
    for (NewTargetResult one : results) {
      number++;
      requireRecorded(id, one, write(id, one, number, "started"));
      waves.setLastEnded(id.tenant(), id.name(), one.device(), one.endedAt());
    }
    setLastResultNumber(id.tenant(), id.name(), number);
  }

  /// Records that devices that had ended well did not stay so: the result becomes [TargetResult#UNHEALTHY], with a
  /// number of its own. The end of the upgrade stays in its own row.
  ///
  /// @return how many had ended well until now
  public int markUnhealthy(RolloutId id, List<NewTargetResult> results) {
    long last = lockLastResultNumber(id.tenant(), id.name()).orElseThrow();
    long number = last;
    for (NewTargetResult one : results) {
      if (isSuccessful(id, one.device())) {
        number++;
        requireRecorded(id, one, write(id, one, number, "ended"));
      }
    }
    setLastResultNumber(id.tenant(), id.name(), number);
    return Math.toIntExact(number - last);
  }

  /// Takes [#markUnhealthy] back for a device that is heard on the release again: it counts as upgraded.
  ///
  /// @return whether it was unhealthy
  public boolean markRecovered(RolloutId id, String device) {
    var _ = lockLastResultNumber(id.tenant(), id.name()).orElseThrow();
    return recover(id.tenant(), id.name(), device) > 0;
  }

  private boolean isSuccessful(RolloutId id, String device) {
    return find(id, device)
        .filter(row -> row.state() == ENDED)
        .flatMap(TargetRow::result)
        .filter(TargetResult::isSuccess)
        .isPresent();
  }

  private static void requireRecorded(RolloutId id, NewTargetResult one, int written) {
    if (written != 1) {
      throw new ConcurrentModification("device " + one.device() + " of rollout " + id);
    }
  }

  /// Makes the device pending again: ended → pending. It has no result any more, and none counts; its first error
  /// stays.
  public boolean retry(RolloutId id, String device, Optional<Instant> notBefore) {
    return retryDevice(id.tenant(), id.name(), device, notBefore.orElse(null)) > 0;
  }

  /// Makes all devices with one of these results pending again, at once.
  ///
  /// @param codes of their first errors; empty: any, and those without one
  /// @return how many
  public int retry(RolloutId id, Set<TargetResult> results, Set<String> codes) {
    int devices = 0;
    for (TargetResult result : results) {
      for (String code : codes.isEmpty() ? Set.of("") : codes) {
        devices += retryAll(id.tenant(), id.name(), EnumCodec.encode(result), code, null);
      }
    }
    return devices;
  }

  /// Records that these devices are not heard although their turn has come. They stay pending or prepared, and are no
  /// candidates until [#markHeard].
  public void markOffline(RolloutId id, List<String> devices) {
    if (!devices.isEmpty()) {
      setOffline(id.tenant(), id.name(), devices, clock.now());
    }
  }

  /// Makes these devices candidates again.
  public void markHeard(RolloutId id, List<String> devices) {
    if (!devices.isEmpty()) {
      clearOffline(id.tenant(), id.name(), devices);
    }
  }

  /// Leaves the pending devices out that are not heard: pending → ended. They count against no threshold.
  ///
  /// @return how many
  public int endOffline(RolloutId id) {
    return endOffline(id.tenant(), id.name(), clock.now());
  }

  /// Leaves these devices out: pending → skipped.
  ///
  /// @return how many
  public int skip(RolloutId id, List<String> devices) {
    return devices.isEmpty() ? 0 : skipDevices(id.tenant(), id.name(), devices);
  }

  /// Leaves the pending devices of a wave out.
  ///
  /// @return how many
  public int skipPending(RolloutId id, int wave) {
    return skipWave(id.tenant(), id.name(), wave);
  }

  /// Adds the devices at the end of a wave. Of those that take part already, a skipped one is pending again in its own
  /// wave; the others stay as they are.
  ///
  /// @return how many are to come that were not
  public int addTargets(RolloutId id, int wave, Collection<String> devices) {
    var _ = lockLastResultNumber(id.tenant(), id.name()).orElseThrow();
    List<String> added = new ArrayList<>();
    int again = 0;
    for (String device : devices) {
      if (find(id, device).isEmpty()) {
        added.add(device);
      } else if (move(id, device, SKIPPED, PENDING)) {
        again++;
      }
    }
    insertPending(id, wave, nextPosition(id.tenant(), id.name(), wave), added);
    waves.addSize(id.tenant(), id.name(), wave, added.size());
    return added.size() + again;
  }

  /// Moves pending devices to the end of another wave. The sizes of the waves stay what they were planned to be.
  public void moveToWave(RolloutId id, int wave, List<String> devices) {
    long position = nextPosition(id.tenant(), id.name(), wave);
    for (String device : devices) {
      position += setWave(id.tenant(), id.name(), device, wave, position);
    }
  }

  /// Inserts pending devices.
  ///
  /// @param position of the first of them; the others follow
  void insertPending(RolloutId id, int wave, long position, List<String> devices) {
    var rows = new ArrayList<TargetRow>(devices.size());
    devices.forEach(device -> rows.add(TargetRow.pending(id, device, wave, position + rows.size())));
    saveAll(rows);
  }

  Optional<TargetRow> find(RolloutId id, String device) {
    return findByTenantAndRolloutAndDevice(id.tenant(), id.name(), device);
  }

  private boolean move(RolloutId id, String device, TargetState from, TargetState next) {
    if (!from.canBecome(next)) {
      throw new IllegalArgumentException(from + " never becomes " + next);
    }
    return setState(id.tenant(), id.name(), device, EnumCodec.encode(from), EnumCodec.encode(next)) > 0;
  }

  private List<TargetRow> moveAll(RolloutId id, List<String> devices, Predicate<String> move) {
    var rows = new ArrayList<TargetRow>(devices.size());
    devices.stream().filter(move).forEach(device -> find(id, device).ifPresent(rows::add));
    return rows;
  }

  abstract Optional<TargetRow> findByTenantAndRolloutAndDevice(String tenant, String rollout, String device);

  abstract void saveAll(Iterable<TargetRow> targets);

  @Query("UPDATE rollout_target SET state = :next" + KEY + " AND state = :from")
  abstract int setState(String tenant, String rollout, String device, String from, String next);

  @Query(
      """
      UPDATE rollout_target SET state = 'starting', prepare_ahead = :ahead,
        previous_started_at = started_at, started_at = :now, not_before = NULL,
        upgrade = rollout || '.' || device || '.' || CAST(attempt AS VARCHAR)\
      """
          + KEY
          + " AND state = 'pending'")
  abstract int start(String tenant, String rollout, String device, boolean ahead, Instant now);

  @Query("UPDATE rollout_target SET state = 'starting', started_at = :now" + KEY + " AND state = 'started'")
  abstract int startAgain(String tenant, String rollout, String device, Instant now);

  @Query(
      """
      UPDATE rollout_target SET state = 'pending', prepare_ahead = FALSE,
        started_at = previous_started_at, previous_started_at = NULL, upgrade = NULL,
        not_before = :notBefore\
      """
          + KEY
          + " AND state = 'starting'")
  abstract int undoStart(String tenant, String rollout, String device, Instant notBefore);

  @Query(
      "UPDATE rollout_target SET state = 'proceeding', prepare_ahead = FALSE, started_at = :now"
          + KEY
          + " AND state = 'started' AND prepare_ahead")
  abstract int proceed(String tenant, String rollout, String device, Instant now);

  @Query("UPDATE rollout_target SET state = 'started', prepare_ahead = TRUE" + KEY + " AND state IN (:from)")
  abstract int returnToPrepared(String tenant, String rollout, String device, List<String> from);

  @Query(SKIP + OF_ROLLOUT + " AND device IN (:devices) AND state = 'pending'")
  abstract int skipDevices(String tenant, String rollout, List<String> devices);

  @Query(SKIP + OF_ROLLOUT + " AND wave = :wave AND state = 'pending'")
  abstract int skipWave(String tenant, String rollout, int wave);

  @Query(
      "UPDATE rollout_target SET offline_since = :since"
          + OF_ROLLOUT
          + " AND device IN (:devices) AND offline_since IS NULL"
          + " AND (state = 'pending' OR (state = 'started' AND prepare_ahead))")
  abstract void setOffline(String tenant, String rollout, List<String> devices, Instant since);

  @Query("UPDATE rollout_target SET offline_since = NULL" + OF_ROLLOUT + " AND device IN (:devices)")
  abstract void clearOffline(String tenant, String rollout, List<String> devices);

  /// The row keeps since when it is offline.
  @Query(
      """
      UPDATE rollout_target SET state = 'ended', result = 'offline', ended_at = :now, not_before = NULL,
        error_class = CASE WHEN error_code IS NULL THEN 'declined' ELSE error_class END,
        error_text = CASE WHEN error_code IS NULL THEN 'a host was not heard until the rollout ended' ELSE error_text END,
        error_code = CASE WHEN error_code IS NULL THEN 'offline' ELSE error_code END\
      """
          + OF_ROLLOUT
          + " AND state = 'pending' AND offline_since IS NOT NULL")
  abstract int endOffline(String tenant, String rollout, Instant now);

  @Query(RETRY + KEY + " AND state = 'ended'")
  abstract int retryDevice(String tenant, String rollout, String device, @Nullable Instant notBefore);

  @Query("UPDATE rollout_target SET result = 'upgraded'" + KEY + " AND state = 'ended' AND result = 'unhealthy'")
  abstract int recover(String tenant, String rollout, String device);

  /// An empty code matches every device.
  @Query(
      RETRY
          + OF_ROLLOUT
          + " AND state IN ('ended', 'reverted') AND result = :result"
          + " AND (:code = '' OR error_code = :code)")
  abstract int retryAll(String tenant, String rollout, String result, String code, @Nullable Instant notBefore);

  /// Locks the rollout until the end of the transaction.
  @Query("SELECT last_result_number FROM rollout WHERE tenant = :tenant AND id = :rollout FOR UPDATE")
  abstract Optional<Long> lockLastResultNumber(String tenant, String rollout);

  @Query("UPDATE rollout SET last_result_number = :number WHERE tenant = :tenant AND id = :rollout")
  abstract int setLastResultNumber(String tenant, String rollout, long number);

  private int write(RolloutId id, NewTargetResult one, long number, String from) {
    return setResult(
        id.tenant(),
        id.name(),
        one.device(),
        from,
        Optional.of(one.result()),
        number,
        one.changed(),
        one.endedAt(),
        one.error().map(TargetError::code),
        one.error().map(TargetError::errorClass).orElse(null),
        one.error().map(TargetError::text).orElse(null));
  }

  /// From `ended` only a device that ended, else only one in progress.
  @Query(RESULT + KEY + " AND (state = :from OR (:from = 'started' AND state = 'proceeding'))")
  abstract int setResult(
      String tenant,
      String rollout,
      String device,
      String from,
      Optional<TargetResult> result,
      long number,
      boolean touched,
      Instant endedAt,
      Optional<String> errorCode,
      @Nullable String errorClass,
      @Nullable String text);

  @Query("UPDATE rollout_target SET wave = :wave, position = :position" + KEY + " AND state = 'pending'")
  abstract int setWave(String tenant, String rollout, String device, int wave, long position);

  @Query("SELECT COALESCE(MAX(position) + 1, 0) FROM rollout_target" + OF_ROLLOUT + " AND wave = :wave")
  abstract long nextPosition(String tenant, String rollout, int wave);
}
