package dev.uplift.store.reconciler;

import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The table `reconciler_lease`: of several servers one reconciles at a time, and the next one continues where it was.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class ReconcilerLeaseRepository implements GenericRepository<ReconcilerLease, String> {
  private final StoreClock clock;

  protected ReconcilerLeaseRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Acquires or renews the lease, and returns the position that was saved last, empty text at first. Empty while
  /// another holder has it.
  ///
  /// @param duration until another holder may acquire it, unless it is renewed
  public Optional<String> acquire(String name, String holder, Duration duration) {
    Instant now = clock.now();
    insertIfAbsent(name, holder, now.plus(duration));
    return take(name, holder, now, now.plus(duration)) > 0
        ? findByName(name).map(ReconcilerLease::position)
        : Optional.empty();
  }

  abstract Optional<ReconcilerLease> findByName(String name);

  @Query(
      """
      INSERT INTO reconciler_lease (name, holder, expires_at, position)
      VALUES (:name, :holder, :expiresAt, '')
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String name, String holder, Instant expiresAt);

  @Query(
      """
      UPDATE reconciler_lease SET holder = :holder, expires_at = :expiresAt
      WHERE name = :name AND (holder = :holder OR expires_at <= :now)\
      """)
  abstract int take(String name, String holder, Instant now, Instant expiresAt);

  /// Saves where the holder is. Nothing happens if another one has acquired the lease meanwhile.
  @Query("UPDATE reconciler_lease SET position = :position WHERE name = :name AND holder = :holder")
  public abstract void savePosition(String name, String holder, String position);
}
