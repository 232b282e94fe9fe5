package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `rollout_wave`. A wave starts by [RolloutRepository#startWave].
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutWaveRepository implements GenericRepository<WaveRow, Integer> {
  private static final String KEY = " WHERE tenant = :tenant AND rollout = :rollout AND number = :number";

  private final StoreClock clock;

  protected RolloutWaveRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// By number.
  public List<WaveRow> list(RolloutId id) {
    return listOf(id.tenant(), id.name());
  }

  public Optional<WaveRow> find(RolloutId id, int number) {
    return findByTenantAndRolloutAndNumber(id.tenant(), id.name(), number);
  }

  /// Records who approved the wave. The first approval stays.
  public void approve(RolloutId id, int number, String by, String remark) {
    setApproved(id.tenant(), id.name(), number, by, remark, clock.now());
  }

  /// Makes the approval of the wave void: it needs another one.
  public void revokeApproval(RolloutId id, int number) {
    clearApproved(id.tenant(), id.name(), number);
  }

  /// Records who declared the wave completed. The first one stays.
  public void markCompleted(RolloutId id, int number, String by) {
    setCompleted(id.tenant(), id.name(), number, by, clock.now());
  }

  /// Records that the soak of the wave was watched from `from` until `until`. Ignored if another server has recorded a
  /// part of that time: no time counts twice.
  ///
  /// @return whether it was recorded
  public boolean addWatched(RolloutId id, int number, Instant from, Instant until) {
    long more = Duration.between(from, until).toMillis();
    return extendWatch(id.tenant(), id.name(), number, more, from, until) > 0;
  }

  /// Records the devices that were not heard, for people.
  public void setUnheard(RolloutId id, int number, String devices) {
    setUnheard(id.tenant(), id.name(), number, devices);
  }

  /// Starts the wave; those before it are completed.
  void start(RolloutId id, int number) {
    completeBefore(id.tenant(), id.name(), number, clock.now());
    setStarted(id.tenant(), id.name(), number, clock.now());
  }

  abstract void saveAll(Iterable<WaveRow> waves);

  @Query(
      """
      SELECT * FROM rollout_wave WHERE tenant = :tenant AND rollout = :rollout
      ORDER BY tenant, rollout, number\
      """)
  abstract List<WaveRow> listOf(String tenant, String rollout);

  abstract Optional<WaveRow> findByTenantAndRolloutAndNumber(String tenant, String rollout, int number);

  @Query(
      "UPDATE rollout_wave SET approved_by = :by, approved_at = :now, remark = :remark"
          + KEY
          + " AND approved_by IS NULL")
  abstract int setApproved(String tenant, String rollout, int number, String by, String remark, Instant now);

  @Query("UPDATE rollout_wave SET approved_by = NULL, approved_at = NULL, remark = NULL" + KEY)
  abstract int clearApproved(String tenant, String rollout, int number);

  @Query(
      "UPDATE rollout_wave SET completed_by = :by, completed_at = COALESCE(completed_at, :now)"
          + KEY
          + " AND completed_by IS NULL")
  abstract int setCompleted(String tenant, String rollout, int number, String by, Instant now);

  @Query(
      """
      UPDATE rollout_wave SET completed_at = :now
      WHERE tenant = :tenant AND rollout = :rollout AND number < :number AND completed_at IS NULL\
      """)
  abstract int completeBefore(String tenant, String rollout, int number, Instant now);

  @Query("UPDATE rollout_wave SET started_at = :now" + KEY + " AND started_at IS NULL")
  abstract int setStarted(String tenant, String rollout, int number, Instant now);

  @Query("UPDATE rollout_wave SET size = size + :more" + KEY)
  abstract int addSize(String tenant, String rollout, int number, int more);

  @Query(
      "UPDATE rollout_wave SET watched_ms = watched_ms + :more, watched_until = :until"
          + KEY
          + " AND (watched_until IS NULL OR watched_until <= :since)")
  abstract int extendWatch(String tenant, String rollout, int number, long more, Instant since, Instant until);

  @Query("UPDATE rollout_wave SET unheard = :devices" + KEY)
  abstract int setUnheard(String tenant, String rollout, int number, String devices);

  /// Records when the newest result of the wave of this device came. Its soak begins again.
  @Query(
      """
      UPDATE rollout_wave SET last_ended_at = :at, watched_ms = 0, watched_until = NULL
      WHERE tenant = :tenant AND rollout = :rollout
        AND number = (SELECT wave FROM rollout_target t WHERE t.tenant = rollout_wave.tenant
          AND t.rollout = rollout_wave.rollout AND t.device = :device)
        AND (last_ended_at IS NULL OR last_ended_at < :at)\
      """)
  abstract int setLastEnded(String tenant, String rollout, String device, Instant at);
}
