package dev.uplift.store.enrolment;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Database;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.enrolment.EnrolmentResult.Accepted;
import dev.uplift.store.enrolment.EnrolmentResult.Rejected;
import dev.uplift.store.enrolment.EnrolmentResult.RejectionReason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The tables `enrolment_token` and `host_credential`: who may join, and with which keys hosts may
/// log in. A key belongs to one host for ever; once revoked it is never good again.
public final class EnrolmentRepository {
  /// A host takes another key when a person wants it to. Each that was good once stays in the list
  /// of those that are revoked for as long as its tickets: a single thief must not make that list
  /// longer than NATS takes it.
  private static final int MAX_KEYS_PER_DAY = 16;

  private static final Duration KEY_LIMIT_PERIOD = Duration.ofDays(1);

  /// NATS judges by its own clock when a ticket has ended.
  private static final Duration MAX_CLOCK_SKEW = Duration.ofHours(1);

  private final Database database;
  private final InstantSource clock;

  public EnrolmentRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The host may join with this token, and with no earlier one.
  ///
  /// @throws NoSuchTenant if there is none for it
  public void createToken(EnrolmentToken enrolmentToken) {
    database.withHandle(handle -> {
      var table = new EnrolmentStatements(handle);
      table.deleteUnusedTokens(enrolmentToken.tenant(), enrolmentToken.host());
      table.insertToken(enrolmentToken, now());
      return true;
    });
  }

  /// The host of the token has this key from now on, and no other. Asked again by the same key, as
  /// after an answer that was lost, the answer is the same.
  ///
  /// @param hash of the token's secret
  /// @param jwtExpiresAt when the ticket ends that it is given
  public EnrolmentResult enrol(String tenant, String hash, String key, Instant expires) {
    return database.withHandle(handle -> {
      var table = new EnrolmentStatements(handle);
      table.hostOfToken(tenant, hash).ifPresent(host -> table.lockHost(tenant, host));
      Optional<EnrolmentStatements.Token> token = table.lockToken(tenant, hash);
      return token
          .map(found -> enrol(table, tenant, hash, found, new Key(key, expires)))
          .orElseGet(() -> new Rejected(RejectionReason.TOKEN_UNKNOWN));
    });
  }

  private record Key(String name, Instant jwtExpiresAt) {}

  private EnrolmentResult enrol(
      EnrolmentStatements table, String tenant, String hash, EnrolmentStatements.Token token, Key key) {
    if (token.usedKey().isPresent()) {
      return token.usedKey().get().equals(key.name())
          ? renew(table, tenant, token.host(), key)
          : new Rejected(RejectionReason.TOKEN_USED);
    }
    if (!token.expiresAt().isAfter(now())) {
      return new Rejected(RejectionReason.TOKEN_EXPIRED);
    }
    if (!table.isOnDevice(tenant, token.host())) {
      return new Rejected(RejectionReason.NO_SUCH_HOST);
    }
    if (table.isKnown(key.name())) {
      return new Rejected(RejectionReason.KEY_REVOKED);
    }
    table.markUsed(tenant, hash, key.name(), now());
    table.revokeOthers(tenant, token.host(), key.name(), "re-enrolled", now());
    table.insertKey(tenant, token.host(), key.name(), key.jwtExpiresAt(), now());
    return new Accepted(token.host(), false, false);
  }

  private EnrolmentResult renew(EnrolmentStatements table, String tenant, HostId host, Key key) {
    Optional<EnrolmentStatements.Credential> found = table.lockKey(tenant, host, key.name());
    if (found.isEmpty()) {
      return new Rejected(RejectionReason.KEY_UNKNOWN);
    }
    if (found.get().isRevoked()) {
      return new Rejected(RejectionReason.KEY_REVOKED);
    }
    table.extendExpiry(tenant, key.name(), key.jwtExpiresAt());
    return new Accepted(host, found.get().isCleaned(), found.get().isRotationRequested());
  }

  /// The host has shown that it has the key: its earlier ones are good no more.
  ///
  /// @param jwtExpiresAt when the ticket ends that it is given
  public EnrolmentResult renew(String tenant, HostId host, String key, Instant expires) {
    return database.withHandle(handle -> {
      var table = new EnrolmentStatements(handle);
      table.lockHost(tenant, host);
      EnrolmentResult enrolmentResult = renew(table, tenant, host, new Key(key, expires));
      if (enrolmentResult instanceof Accepted) {
        table.revokeEarlier(tenant, host, key, "rotated", now());
      }
      return enrolmentResult;
    });
  }

  /// The host has another key, beside the one that it asks with, and no third one: had somebody
  /// else asked for one too, that is good no more.
  ///
  /// @param jwtExpiresAt when the ticket ends that it is given
  public EnrolmentResult rotate(String tenant, HostId host, String key, String next, Instant expires) {
    return database.withHandle(handle -> {
      var table = new EnrolmentStatements(handle);
      table.lockHost(tenant, host);
      EnrolmentResult enrolmentResult = renew(table, tenant, host, new Key(key, expires));
      if (!(enrolmentResult instanceof Accepted(HostId _, boolean settled, boolean _))) {
        return enrolmentResult;
      }
      if (table.isKnown(next)) {
        return renew(table, tenant, host, new Key(next, expires));
      }
      if (table.countKeysSince(tenant, host, now().minus(KEY_LIMIT_PERIOD)) >= MAX_KEYS_PER_DAY) {
        return new Rejected(RejectionReason.TOO_MANY_KEYS);
      }
      table.revokeOthers(tenant, host, key, "rotated", now());
      Instant before = table.lockKey(tenant, host, key).orElseThrow().createdAt();
      table.insertKey(tenant, host, next, expires, laterThan(before));
      if (settled) {
        table.markCleaned(tenant, next, now());
      }
      return new Accepted(host, settled, false);
    });
  }

  /// Now, or a little later: the clock of the server that wrote what was before may be ahead.
  private Instant laterThan(Instant before) {
    Instant next = before.plusMillis(1);
    return now().isAfter(next) ? now() : next;
  }

  /// What another system on the host had left is cleared away.
  public void markCleaned(String tenant, String key) {
    database.withHandle(handle -> {
      new EnrolmentStatements(handle).markCleaned(tenant, key, now());
      return true;
    });
  }

  /// The host is to take a new key when it asks next. Returns whether it has one now.
  public boolean requestRotation(String tenant, HostId host) {
    return database.withHandle(handle -> new EnrolmentStatements(handle).requestRotation(tenant, host) > 0);
  }

  /// No key of the host is good any more, nor is a token. Returns how many keys were.
  public int revoke(String tenant, HostId host, String by) {
    return database.withHandle(handle -> {
      var table = new EnrolmentStatements(handle);
      // Or a key that the host takes at this moment would be left.
      table.lockHost(tenant, host);
      table.deleteUnusedTokens(tenant, host);
      return table.revokeOthers(tenant, host, "", by, now());
    });
  }

  /// Of all tenants: the keys that are good no more, and for which there are tickets that else
  /// would be.
  public List<RevokedKey> listRevoked() {
    return database.withHandle(handle -> listRevoked(new EnrolmentStatements(handle)));
  }

  private List<RevokedKey> listRevoked(EnrolmentStatements table) {
    return table.listRevoked(now().minus(MAX_CLOCK_SKEW));
  }

  /// Of all tenants: how many keys have a ticket that is still good, and ends before that time.
  public long countExpiring(Instant before) {
    return database.withHandle(handle -> new EnrolmentStatements(handle).countExpiring(now(), before));
  }

  /// Somebody tells the keys that are good no more. Of all servers one after the other: nobody
  /// tells an older list after a newer one. What the teller throws is thrown on, and it counts as
  /// not told.
  public void publishRevocations(RevocationList.Publisher publisher) {
    database.withHandle(handle -> {
      var table = new EnrolmentStatements(handle);
      RevocationList last = table.lockRevocationList();
      RevocationList told = publisher.publish(last, listRevoked(table));
      if (!told.equals(last)) {
        table.updateRevocationList(told);
      }
      return true;
    });
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
