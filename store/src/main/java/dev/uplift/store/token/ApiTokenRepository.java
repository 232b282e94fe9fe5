package dev.uplift.store.token;

import dev.uplift.store.Cursor;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The table `api_token`: tokens of scripts, until they have expired. Revoked ones are in `token_revocation` as well.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class ApiTokenRepository implements GenericRepository<ApiTokenRow, Long> {
  /// How exactly the last use is known: a token in use is a statement so often, of each server.
  private static final Duration USE_PRECISION = Duration.ofMinutes(10);

  private final StoreClock clock;

  protected ApiTokenRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Stores a token.
  ///
  /// @param hash of the token, by which it is found
  public ApiTokenRow create(
      String tenant, String id, String name, String role, String hash, String by, Instant expiresAt) {
    insert(tenant, id, name, role, hash, by, clock.now(), expiresAt);
    return findByTenantAndId(tenant, id);
  }

  @Query(
      """
      INSERT INTO api_token (tenant, id, name, role, hash, created_by, created_at, expires_at)
      VALUES (:tenant, :id, :name, :role, :hash, :by, :now, :expiresAt)\
      """)
  abstract int insert(
      String tenant, String id, String name, String role, String hash, String by, Instant now, Instant expiresAt);

  @Query("SELECT * FROM api_token WHERE tenant = :tenant AND id = :id")
  abstract ApiTokenRow findByTenantAndId(String tenant, String id);

  /// Those of the tenant, newest first.
  public Page<ApiTokenRow> list(String tenant, PageRequest page) {
    long before = Cursor.numberBefore(page);
    return Cursor.toPageByNumber(listBefore(tenant, before, page.limit() + 1), page, ApiTokenRow::number);
  }

  @Query("SELECT * FROM api_token WHERE tenant = :tenant AND number < :before ORDER BY number DESC LIMIT :limit")
  abstract List<ApiTokenRow> listBefore(String tenant, long before, int limit);

  /// Those of all tenants.
  @Query("SELECT * FROM api_token")
  public abstract List<ApiTokenRow> listAll();

  @Query("SELECT COUNT(*) FROM api_token WHERE tenant = :tenant")
  public abstract long count(String tenant);

  /// Returns a text that differs whenever a token was created or deleted.
  public String fingerprint() {
    return countAll() + "/" + maxNumber();
  }

  @Query("SELECT COUNT(*) FROM api_token")
  abstract long countAll();

  @Query("SELECT COALESCE(MAX(number), 0) FROM api_token")
  abstract long maxNumber();

  /// Deletes the tokens of a tenant that expired before now.
  public int deleteExpired(String tenant) {
    return deleteExpiredBefore(tenant, clock.now());
  }

  @Query("DELETE FROM api_token WHERE tenant = :tenant AND expires_at < :now")
  abstract int deleteExpiredBefore(String tenant, Instant now);

  /// Records that a token was used, unless a use of the last ten minutes is recorded.
  public void recordUse(String tenant, String id, Instant at) {
    var _ = recordUse(tenant, id, at, at.minus(USE_PRECISION));
  }

  @Query(
      """
      UPDATE api_token SET last_used_at = :at
      WHERE tenant = :tenant AND id = :id AND (last_used_at IS NULL OR last_used_at < :earlier)\
      """)
  abstract int recordUse(String tenant, String id, Instant at, Instant earlier);
}
