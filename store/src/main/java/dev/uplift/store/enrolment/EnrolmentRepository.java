package dev.uplift.store.enrolment;

import static java.util.Comparator.comparing;

import dev.uplift.fleet.HostId;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.enrolment.EnrolmentResult.Accepted;
import dev.uplift.store.enrolment.EnrolmentResult.Rejected;
import dev.uplift.store.enrolment.EnrolmentResult.RejectionReason;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The tables `enrolment_token` and `host_credential`: which hosts may join, and with which keys they may log in. A key
/// belongs to one host for ever; a revoked key never becomes valid again.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class EnrolmentRepository implements GenericRepository<CredentialEntity, String> {
  /// A host rotates its key when a person requests it. Each earlier key stays in the list of revoked keys as long as
  /// its JWTs last: a single thief must not make that list longer than NATS accepts.
  private static final int MAX_KEYS_PER_DAY = 16;

  private static final Duration KEY_LIMIT_PERIOD = Duration.ofDays(1);

  /// NATS uses its own clock to see when a JWT has expired.
  private static final Duration MAX_CLOCK_SKEW = Duration.ofHours(1);

  private static final String OF_HOST = " WHERE tenant = :tenant AND host = :host";
  private static final String OF_KEY = " WHERE tenant = :tenant AND nkey = :key";
  private static final String REVOKE =
      "UPDATE host_credential SET revoked_at = :now, revoked_by = :by"
          + OF_HOST
          + " AND nkey <> :key AND revoked_at IS NULL";

  private final StoreClock clock;

  protected EnrolmentRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Lets the host join with this token, and with no earlier one.
  ///
  /// @throws NoSuchTenant if the tenant does not exist
  public void createToken(EnrolmentToken token) {
    deleteUnusedTokens(token.tenant(), token.host().value());
    insertToken(token.tenant(), token.hash(), token.host().value(), clock.now(), token.createdBy(), token.expiresAt());
  }

  /// Gives the host of the token this key, and no other. Repeated by the same key, as after an answer that was lost, it
  /// returns the same.
  ///
  /// @param hash of the token's secret
  /// @param expires end of the user JWT that the host is given
  public EnrolmentResult enrol(String tenant, String hash, String key, Instant expires) {
    findHostOfToken(tenant, hash).ifPresent(host -> lockHost(tenant, host));
    Optional<TokenEntity> token = lockToken(tenant, hash);
    return token
        .map(found -> enrol(tenant, hash, found, key, expires))
        .orElseGet(() -> new Rejected(RejectionReason.TOKEN_UNKNOWN));
  }

  private EnrolmentResult enrol(String tenant, String hash, TokenEntity token, String key, Instant expires) {
    var host = new HostId(token.host());
    if (token.usedByKey() != null) {
      return token.usedByKey().equals(key)
          ? extend(tenant, host, key, expires)
          : new Rejected(RejectionReason.TOKEN_USED);
    }
    if (!token.expiresAt().isAfter(clock.now())) {
      return new Rejected(RejectionReason.TOKEN_EXPIRED);
    }
    if (countOnDevice(tenant, token.host()) == 0) {
      return new Rejected(RejectionReason.NO_SUCH_HOST);
    }
    if (countKey(key) > 0) {
      return new Rejected(RejectionReason.KEY_REVOKED);
    }
    markUsed(tenant, hash, key, clock.now());
    revokeOthers(tenant, token.host(), key, "re-enrolled", clock.now());
    insertKey(tenant, token.host(), key, expires, clock.now());
    return new Accepted(host, false, false);
  }

  private EnrolmentResult extend(String tenant, HostId host, String key, Instant expires) {
    Optional<CredentialEntity> found = lockKey(tenant, host.value(), key);
    if (found.isEmpty()) {
      return new Rejected(RejectionReason.KEY_UNKNOWN);
    }
    if (found.get().revokedAt() != null) {
      return new Rejected(RejectionReason.KEY_REVOKED);
    }
    extendExpiry(tenant, key, expires);
    return new Accepted(host, found.get().cleanedAt() != null, found.get().rotationRequested());
  }

  /// Renews the JWT of a host that has proved that it has the key, and revokes its earlier keys.
  ///
  /// @param expires end of the user JWT that the host is given
  public EnrolmentResult renew(String tenant, HostId host, String key, Instant expires) {
    lockHost(tenant, host.value());
    EnrolmentResult result = extend(tenant, host, key, expires);
    if (result instanceof Accepted) {
      revokeEarlier(tenant, host.value(), key, "rotated", clock.now());
    }
    return result;
  }

  /// Gives the host another key beside the one that it asks with, and no third one: a key that was asked for in between
  /// is revoked.
  ///
  /// @param expires end of the user JWT that the host is given
  public EnrolmentResult rotate(String tenant, HostId host, String key, String next, Instant expires) {
    lockHost(tenant, host.value());
    EnrolmentResult result = extend(tenant, host, key, expires);
    if (!(result instanceof Accepted(HostId _, boolean cleaned, boolean _))) {
      return result;
    }
    if (countKey(next) > 0) {
      return extend(tenant, host, next, expires);
    }
    Instant now = clock.now();
    if (countKeysSince(tenant, host.value(), now.minus(KEY_LIMIT_PERIOD)) >= MAX_KEYS_PER_DAY) {
      return new Rejected(RejectionReason.TOO_MANY_KEYS);
    }
    revokeOthers(tenant, host.value(), key, "rotated", now);
    Instant before = lockKey(tenant, host.value(), key).orElseThrow().createdAt();
    insertKey(tenant, host.value(), next, expires, laterThan(before));
    if (cleaned) {
      markCleaned(tenant, next);
    }
    return new Accepted(host, cleaned, false);
  }

  /// Now, or a little later: the clock of the server that wrote the row before may be ahead.
  private Instant laterThan(Instant before) {
    Instant next = before.plusMillis(1);
    return clock.now().isAfter(next) ? clock.now() : next;
  }

  /// Records that the state that another system on the host had left is removed.
  public void markCleaned(String tenant, String key) {
    setCleaned(tenant, key, clock.now());
  }

  /// Makes the host rotate its key at its next request. Returns whether it has a key now.
  public boolean requestRotation(String tenant, HostId host) {
    return setRotationRequested(tenant, host.value()) > 0;
  }

  /// Revokes every key of the host and deletes its unused tokens. Returns the number of keys.
  public int revoke(String tenant, HostId host, String by) {
    // Or a key that the host is given at this moment would stay.
    lockHost(tenant, host.value());
    deleteUnusedTokens(tenant, host.value());
    return revokeOthers(tenant, host.value(), "", by, clock.now());
  }

  /// Revokes the keys of all hosts of the tenant, and the tokens with which hosts may join it. A host that is given
  /// another key at this very moment keeps that one: to be repeated.
  public void revokeAll(String tenant, String by) {
    expireTokens(tenant, clock.now());
    revokeAllKeys(tenant, by, clock.now());
  }

  /// Deletes the keys of a tenant that is deleted, except those that NATS has to be told of, because a JWT for them is
  /// still valid. Returns whether none is left.
  public boolean deleteKeys(String tenant) {
    deleteRevokedKeys(tenant, clock.now().minus(MAX_CLOCK_SKEW));
    return countKeys(tenant) == 0;
  }

  /// Of all tenants: the revoked keys whose JWTs have not expired, by key.
  public List<RevokedKey> listRevoked() {
    return listRevokedSince(Instant.EPOCH, clock.now().minus(MAX_CLOCK_SKEW)).stream()
        .map(row -> new RevokedKey(row.nkey(), row.jwtExpiresAt()))
        .sorted(comparing(RevokedKey::key))
        .toList();
  }

  /// Of all tenants: the number of keys whose JWT is valid now and expires before that time.
  public long countExpiring(Instant before) {
    return countExpiring(clock.now(), before);
  }

  /// Begins the turn of a publisher of revocations, and returns what it has to know. Empty while it is the turn of
  /// another: none publishes an older list after a newer one. Holds no lock and no connection after it returns.
  ///
  /// @param publisher a unique name of this turn
  /// @param longest after which the turn ends by itself, as of a server that is gone
  public Optional<PublicationTurn> beginPublication(String publisher, Duration longest) {
    Instant now = clock.now();
    return takeTurn(publisher, now.plus(longest), now) == 1
        ? Optional.of(new PublicationTurn(readRevocationList(), listRevoked()))
        : Optional.empty();
  }

  /// Ends the turn and records what is published now. Returns false, and records nothing, if the turn had ended by
  /// itself: another server may have published meanwhile.
  public boolean endPublication(String publisher, RevocationList published) {
    return updateRevocationList(publisher, published.issuedAtSecond(), published.digest()) == 1;
  }

  /// Ends the turn of a publisher that has published nothing, or may not have. Does nothing if it has ended already.
  @Query("UPDATE revocation_list SET publisher = NULL WHERE id = 1 AND publisher = :publisher")
  public abstract void abandonPublication(String publisher);

  /// Returns whether the host has this key, and it is not revoked.
  public boolean isCurrentKey(String tenant, String host, String key) {
    return countCurrentKey(tenant, host, key) > 0;
  }

  @Query("SELECT COUNT(*) FROM host_credential" + OF_KEY + " AND host = :host AND revoked_at IS NULL")
  abstract long countCurrentKey(String tenant, String host, String key);

  @Query("DELETE FROM enrolment_token" + OF_HOST + " AND used_at IS NULL")
  abstract int deleteUnusedTokens(String tenant, String host);

  @Query(
      """
      INSERT INTO enrolment_token (tenant, hash, host, created_at, created_by, expires_at)
      VALUES (:tenant, :hash, :host, :now, :by, :expires)\
      """)
  abstract int insertToken(String tenant, String hash, String host, Instant now, String by, Instant expires);

  /// Until the end of the transaction no other one changes keys of the host. Of a host that left the fleet all keys are
  /// revoked already.
  @Query("SELECT name FROM host WHERE tenant = :tenant AND name = :host FOR UPDATE")
  abstract Optional<String> lockHost(String tenant, String host);

  @Query("SELECT host FROM enrolment_token WHERE tenant = :tenant AND hash = :hash")
  abstract Optional<String> findHostOfToken(String tenant, String hash);

  @Query(
      """
      SELECT host, expires_at, used_by_key FROM enrolment_token
      WHERE tenant = :tenant AND hash = :hash FOR UPDATE\
      """)
  abstract Optional<TokenEntity> lockToken(String tenant, String hash);

  @Query(
      """
      UPDATE enrolment_token SET used_at = :now, used_by_key = :key
      WHERE tenant = :tenant AND hash = :hash\
      """)
  abstract int markUsed(String tenant, String hash, String key, Instant now);

  @Query(
      """
      SELECT COUNT(*) FROM host WHERE tenant = :tenant AND name = :host AND device IS NOT NULL\
      """)
  abstract long countOnDevice(String tenant, String host);

  /// Of any host of any tenant, at any time.
  @Query("SELECT COUNT(*) FROM host_credential WHERE nkey = :key")
  abstract long countKey(String key);

  @Query("SELECT * FROM host_credential" + OF_KEY + " AND host = :host FOR UPDATE")
  abstract Optional<CredentialEntity> lockKey(String tenant, String host, String key);

  @Query(
      """
      INSERT INTO host_credential (tenant, nkey, host, created_at, jwt_expires_at)
      VALUES (:tenant, :key, :host, :now, :expires)\
      """)
  abstract int insertKey(String tenant, String host, String key, Instant expires, Instant now);

  @Query("UPDATE host_credential SET jwt_expires_at = :expires" + OF_KEY + " AND jwt_expires_at < :expires")
  abstract int extendExpiry(String tenant, String key, Instant expires);

  @Query("UPDATE host_credential SET cleaned_at = :now" + OF_KEY)
  abstract int setCleaned(String tenant, String key, Instant now);

  @Query("UPDATE host_credential SET rotation_requested = TRUE" + OF_HOST + " AND revoked_at IS NULL")
  abstract int setRotationRequested(String tenant, String host);

  /// All keys of the host except this one.
  @Query(REVOKE)
  abstract int revokeOthers(String tenant, String host, String key, String by, Instant now);

  /// The keys of the host from before this one.
  @Query(
      REVOKE
          + " AND created_at <= (SELECT created_at FROM host_credential newer"
          + " WHERE newer.tenant = :tenant AND newer.nkey = :key)")
  abstract int revokeEarlier(String tenant, String host, String key, String by, Instant now);

  @Query("UPDATE enrolment_token SET expires_at = :now WHERE tenant = :tenant AND expires_at > :now")
  abstract int expireTokens(String tenant, Instant now);

  @Query(
      """
      UPDATE host_credential SET revoked_at = :now, revoked_by = :by
      WHERE tenant = :tenant AND revoked_at IS NULL\
      """)
  abstract int revokeAllKeys(String tenant, String by, Instant now);

  @Query("DELETE FROM host_credential WHERE tenant = :tenant AND revoked_at IS NOT NULL AND jwt_expires_at <= :before")
  abstract int deleteRevokedKeys(String tenant, Instant before);

  @Query("SELECT COUNT(*) FROM host_credential WHERE tenant = :tenant")
  abstract long countKeys(String tenant);

  @Query("SELECT COUNT(*) FROM host_credential" + OF_HOST + " AND created_at > :from")
  abstract long countKeysSince(String tenant, String host, Instant from);

  /// By the time at which they were revoked, which is an index: else H2 reads all keys in the order of their names.
  @Query("SELECT * FROM host_credential WHERE revoked_at > :from AND jwt_expires_at > :now")
  abstract List<CredentialEntity> listRevokedSince(Instant from, Instant now);

  @Query(
      """
      SELECT COUNT(*) FROM host_credential
      WHERE revoked_at IS NULL AND jwt_expires_at > :now AND jwt_expires_at < :before\
      """)
  abstract long countExpiring(Instant now, Instant before);

  @Query(
      """
      UPDATE revocation_list SET publisher = :publisher, publishes_until = :until
      WHERE id = 1 AND (publisher IS NULL OR publishes_until < :now)\
      """)
  abstract int takeTurn(String publisher, Instant until, Instant now);

  @Query("SELECT issued_at_second, digest FROM revocation_list WHERE id = 1")
  abstract RevocationList readRevocationList();

  @Query(
      """
      UPDATE revocation_list SET issued_at_second = :issuedAtSecond, digest = :digest, publisher = NULL
      WHERE id = 1 AND publisher = :publisher\
      """)
  abstract int updateRevocationList(String publisher, long issuedAtSecond, String digest);
}
