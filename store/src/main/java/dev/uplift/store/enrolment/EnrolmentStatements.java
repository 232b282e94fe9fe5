package dev.uplift.store.enrolment;

import static java.util.Comparator.comparing;

import dev.uplift.fleet.HostId;
import dev.uplift.store.RowReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;

/// The statements behind [EnrolmentRepository], within one transaction.
final class EnrolmentStatements {
  private static final String OF_HOST = " WHERE tenant = :tenant AND host = :host";
  private static final String OF_KEY = " WHERE tenant = :tenant AND nkey = :key";

  private final Handle handle;

  EnrolmentStatements(Handle handle) {
    this.handle = handle;
  }

  record Token(HostId host, Instant expiresAt, Optional<String> usedKey) {}

  record Credential(boolean isRevoked, boolean isCleaned, boolean isRotationRequested, Instant createdAt) {}

  void deleteUnusedTokens(String tenant, HostId host) {
    bindHost(
            handle.createUpdate("DELETE FROM enrolment_token" + OF_HOST + " AND used_at IS NULL"),
            tenant,
            host)
        .execute();
  }

  void insertToken(EnrolmentToken enrolmentToken, Instant now) {
    bindHost(
            handle.createUpdate(
                """
                INSERT INTO enrolment_token (tenant, hash, host, created_at, created_by, expires_at)
                VALUES (:tenant, :hash, :host, :now, :by, :expires)\
                """),
            enrolmentToken.tenant(),
            enrolmentToken.host())
        .bind("hash", enrolmentToken.hash())
        .bind("now", now)
        .bind("by", enrolmentToken.createdBy())
        .bind("expires", enrolmentToken.expiresAt())
        .execute();
  }

  /// Nobody else changes keys of the host until the end of the transaction. Where it is no host of
  /// the fleet any more all of them are revoked already.
  void lockHost(String tenant, HostId host) {
    bindHost(
            handle.createQuery(
                "SELECT name FROM host WHERE tenant = :tenant AND name = :host FOR UPDATE"),
            tenant,
            host)
        .mapTo(String.class)
        .findOne();
  }

  Optional<HostId> hostOfToken(String tenant, String hash) {
    return handle
        .createQuery("SELECT host FROM enrolment_token WHERE tenant = :tenant AND hash = :hash")
        .bind("tenant", tenant)
        .bind("hash", hash)
        .mapTo(String.class)
        .findOne()
        .map(HostId::new);
  }

  /// Nobody else uses it until the end of the transaction.
  Optional<Token> lockToken(String tenant, String hash) {
    return handle
        .createQuery(
            "SELECT * FROM enrolment_token WHERE tenant = :tenant AND hash = :hash FOR UPDATE")
        .bind("tenant", tenant)
        .bind("hash", hash)
        .map(
            RowReader.mapper(row ->
                new Token(
                    new HostId(row.text("host")),
                    row.instant("expires_at"),
                    row.optionalText("used_by_key"))))
        .findOne();
  }

  void markUsed(String tenant, String hash, String key, Instant now) {
    handle
        .createUpdate(
            """
            UPDATE enrolment_token SET used_at = :now, used_by_key = :key
            WHERE tenant = :tenant AND hash = :hash\
            """)
        .bind("tenant", tenant)
        .bind("hash", hash)
        .bind("key", key)
        .bind("now", now)
        .execute();
  }

  boolean isOnDevice(String tenant, HostId host) {
    return bindHost(
                handle.createQuery(
                    "SELECT COUNT(*) FROM host WHERE tenant = :tenant AND name = :host"
                        + " AND device IS NOT NULL"),
                tenant,
                host)
            .mapTo(Long.class)
            .one()
        > 0;
  }

  /// To any host of any tenant, at any time.
  boolean isKnown(String key) {
    return handle
            .createQuery("SELECT COUNT(*) FROM host_credential WHERE nkey = :key")
            .bind("key", key)
            .mapTo(Long.class)
            .one()
        > 0;
  }

  Optional<Credential> lockKey(String tenant, HostId host, String key) {
    return bindHost(
            handle.createQuery(
                "SELECT * FROM host_credential" + OF_KEY + " AND host = :host FOR UPDATE"),
            tenant,
            host)
        .bind("key", key)
        .map(
            RowReader.mapper(row ->
                new Credential(
                    row.optionalInstant("revoked_at").isPresent(),
                    row.optionalInstant("cleaned_at").isPresent(),
                    row.booleanValue("rotation_requested"),
                    row.instant("created_at"))))
        .findOne();
  }

  void insertKey(String tenant, HostId host, String key, Instant expires, Instant now) {
    bindHost(
            handle.createUpdate(
                """
                INSERT INTO host_credential (tenant, nkey, host, created_at, jwt_expires_at)
                VALUES (:tenant, :key, :host, :now, :expires)\
                """),
            tenant,
            host)
        .bind("key", key)
        .bind("now", now)
        .bind("expires", expires)
        .execute();
  }

  void extendExpiry(String tenant, String key, Instant expires) {
    updateByKey(
            "UPDATE host_credential SET jwt_expires_at = :expires"
                + OF_KEY
                + " AND jwt_expires_at < :expires",
            tenant,
            key)
        .bind("expires", expires)
        .execute();
  }

  void markCleaned(String tenant, String key, Instant now) {
    updateByKey("UPDATE host_credential SET cleaned_at = :now" + OF_KEY, tenant, key)
        .bind("now", now)
        .execute();
  }

  int requestRotation(String tenant, HostId host) {
    return bindHost(
            handle.createUpdate(
                "UPDATE host_credential SET rotation_requested = TRUE" + OF_HOST + " AND revoked_at IS NULL"),
            tenant,
            host)
        .execute();
  }

  /// All keys of the host but this one.
  int revokeOthers(String tenant, HostId host, String key, String by, Instant now) {
    return revoke("", tenant, host, key, by, now);
  }

  /// The keys of the host from before this one.
  void revokeEarlier(String tenant, HostId host, String key, String by, Instant now) {
    revoke(
        " AND created_at <= (SELECT created_at FROM host_credential newer"
            + " WHERE newer.tenant = :tenant AND newer.nkey = :key)",
        tenant,
        host,
        key,
        by,
        now);
  }

  private int revoke(String which, String tenant, HostId host, String key, String by, Instant now) {
    return bindHost(
            handle.createUpdate(
                "UPDATE host_credential SET revoked_at = :now, revoked_by = :by"
                    + OF_HOST
                    + " AND nkey <> :key AND revoked_at IS NULL"
                    + which),
            tenant,
            host)
        .bind("key", key)
        .bind("by", by)
        .bind("now", now)
        .execute();
  }

  long countKeysSince(String tenant, HostId host, Instant from) {
    return bindHost(
            handle.createQuery(
                "SELECT COUNT(*) FROM host_credential" + OF_HOST + " AND created_at > :from"),
            tenant,
            host)
        .bind("from", from)
        .mapTo(Long.class)
        .one();
  }

  /// By key, as every server sorts them. Asked for by the time at which they were revoked, which is
  /// an index: else H2 reads all keys in the order of their names.
  List<RevokedKey> listRevoked(Instant now) {
    return handle
        .createQuery(
            """
            SELECT nkey, jwt_expires_at FROM host_credential
            WHERE revoked_at > :ever AND jwt_expires_at > :now\
            """)
        .bind("ever", Instant.EPOCH)
        .bind("now", now)
        .map(RowReader.mapper(row -> new RevokedKey(row.text("nkey"), row.instant("jwt_expires_at"))))
        .list()
        .stream()
        .sorted(comparing(RevokedKey::key))
        .toList();
  }

  long countExpiring(Instant now, Instant before) {
    return handle
        .createQuery(
            """
            SELECT COUNT(*) FROM host_credential
            WHERE revoked_at IS NULL AND jwt_expires_at > :now AND jwt_expires_at < :before\
            """)
        .bind("now", now)
        .bind("before", before)
        .mapTo(Long.class)
        .one();
  }

  /// Nobody else tells one until the end of the transaction.
  RevocationList lockRevocationList() {
    return handle
        .createQuery("SELECT * FROM revocation_list WHERE id = 1 FOR UPDATE")
        .map(RowReader.mapper(row -> new RevocationList(row.longValue("issued_at_second"), row.text("digest"))))
        .one();
  }

  void updateRevocationList(RevocationList list) {
    handle
        .createUpdate("UPDATE revocation_list SET issued_at_second = :issued, digest = :digest WHERE id = 1")
        .bind("issued", list.issuedAtSecond())
        .bind("digest", list.digest())
        .execute();
  }

  private Update updateByKey(String sql, String tenant, String key) {
    return handle.createUpdate(sql).bind("tenant", tenant).bind("key", key);
  }

  private static <S extends SqlStatement<S>> S bindHost(S statement, String tenant, HostId host) {
    return statement.bind("tenant", tenant).bind("host", host.value());
  }
}
