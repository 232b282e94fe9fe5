package dev.uplift.store.upgrade;

import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `upgrade_wait`: a row for each running upgrade that has waited for a person, or for a host that is off.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class UpgradeWaitRepository implements GenericRepository<UpgradeRow, String> {
  /// Records what an upgrade waits for. Safe to repeat, and in any order: the report with the latest time stays. Writes
  /// nothing if the upgrade has ended, or is not in the records. Returns whether this report stays.
  ///
  /// @param wait empty if it waits for none any more
  /// @param at when its workflow said so
  public boolean record(String tenant, String upgrade, Optional<UpgradeWait> wait, Instant at) {
    @Nullable String reason = wait.map(UpgradeWait::reason).orElse(null);
    @Nullable String message = wait.map(UpgradeWait::message).map(StoredText::sanitize).orElse(null);
    @Nullable Instant since = wait.map(UpgradeWait::since).map(UpgradeWaitRepository::toMillis).orElse(null);
    @Nullable Instant until = wait.flatMap(UpgradeWait::until).map(UpgradeWaitRepository::toMillis).orElse(null);
    Instant recordedAt = toMillis(at);
    return insertIfAbsent(tenant, upgrade, reason, message, since, until, recordedAt) > 0
        || update(tenant, upgrade, reason, message, since, until, recordedAt) > 0;
  }

  private static Instant toMillis(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS);
  }

  /// Removes those of upgrades that have ended. Returns how many.
  @Query(
      """
      DELETE FROM upgrade_wait WHERE NOT EXISTS (SELECT 1 FROM upgrade u
        WHERE u.tenant = upgrade_wait.tenant AND u.id = upgrade_wait.upgrade AND u.state = 'running')\
      """)
  public abstract int deleteEnded();

  @Query(
      """
      INSERT INTO upgrade_wait (tenant, upgrade, reason, message, since, until_at, recorded_at)
      SELECT tenant, id, CAST(:reason AS VARCHAR), CAST(:message AS VARCHAR),
        CAST(:since AS TIMESTAMP(3) WITH TIME ZONE), CAST(:until AS TIMESTAMP(3) WITH TIME ZONE),
        CAST(:recordedAt AS TIMESTAMP(3) WITH TIME ZONE)
      FROM upgrade WHERE tenant = :tenant AND id = :upgrade AND state = 'running'
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant,
      String upgrade,
      @Nullable String reason,
      @Nullable String message,
      @Nullable Instant since,
      @Nullable Instant until,
      Instant recordedAt);

  @Query(
      """
      UPDATE upgrade_wait SET reason = :reason, message = :message, since = :since, until_at = :until,
        recorded_at = :recordedAt
      WHERE tenant = :tenant AND upgrade = :upgrade AND recorded_at <= :recordedAt\
      """)
  abstract int update(
      String tenant,
      String upgrade,
      @Nullable String reason,
      @Nullable String message,
      @Nullable Instant since,
      @Nullable Instant until,
      Instant recordedAt);
}
