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
import java.time.Instant;
import java.util.List;

/// The table `token_revocation`: which bearer tokens count no more although they have not expired. Append-only, until
/// every token that a row is about has expired.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class TokenRevocationRepository implements GenericRepository<TokenRevocationRow, Long> {
  private static final String NEWEST_FIRST = " ORDER BY number DESC LIMIT :limit";

  private final StoreClock clock;

  protected TokenRevocationRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Revokes a token. Of a token that is revoked already nothing changes but that there are two rows.
  ///
  /// @param tenant of the token; `*` for every tenant
  public TokenRevocationRow revokeToken(String tenant, String tokenId, String reason, String by) {
    return insert(tenant, tokenId, "", clock.now(), reason, by);
  }

  /// Revokes the tokens of a subject that were issued up to that time.
  ///
  /// @param tenant of the tokens; `*` for every tenant
  public TokenRevocationRow revokeSubject(
      String tenant, String subject, Instant issuedBefore, String reason, String by) {
    return insert(tenant, "", subject, issuedBefore, reason, by);
  }

  private TokenRevocationRow insert(
      String tenant, String tokenId, String subject, Instant issuedBefore, String reason, String by) {
    insertRow(tenant, tokenId, subject, issuedBefore, reason, by, clock.now());
    return findLast(tenant, tokenId, subject);
  }

  @Query(
      """
      INSERT INTO token_revocation (tenant, token_id, subject, issued_before, reason, revoked_by, revoked_at)
      VALUES (:tenant, :tokenId, :subject, :issuedBefore, :reason, :by, :now)\
      """)
  abstract int insertRow(
      String tenant, String tokenId, String subject, Instant issuedBefore, String reason, String by, Instant now);

  @Query(
      """
      SELECT * FROM token_revocation WHERE tenant = :tenant AND token_id = :tokenId AND subject = :subject
      ORDER BY number DESC LIMIT 1\
      """)
  abstract TokenRevocationRow findLast(String tenant, String tokenId, String subject);

  /// Deletes the revocations from before that time, of all tenants.
  @Query("DELETE FROM token_revocation WHERE revoked_at < :revokedBefore")
  public abstract int deleteRevokedBefore(Instant revokedBefore);

  /// Those of the tenant and those of every tenant, newest first.
  public Page<TokenRevocationRow> list(String tenant, PageRequest page) {
    long before = Cursor.numberBefore(page);
    return Cursor.toPageByNumber(listBefore(tenant, before, page.limit() + 1), page, TokenRevocationRow::number);
  }

  @Query("SELECT * FROM token_revocation WHERE tenant IN (:tenant, '*') AND number < :before" + NEWEST_FIRST)
  abstract List<TokenRevocationRow> listBefore(String tenant, long before, int limit);

  /// Those of all tenants.
  @Query("SELECT * FROM token_revocation")
  public abstract List<TokenRevocationRow> listAll();

  /// Returns the number of revocations of a tenant, or of those of every tenant.
  @Query("SELECT COUNT(*) FROM token_revocation WHERE tenant = :tenant")
  public abstract long count(String tenant);

  /// Returns a text that differs whenever [#listAll] does.
  public String fingerprint() {
    return countAll() + "/" + maxNumber();
  }

  @Query("SELECT COUNT(*) FROM token_revocation")
  abstract long countAll();

  @Query("SELECT COALESCE(MAX(number), 0) FROM token_revocation")
  abstract long maxNumber();
}
