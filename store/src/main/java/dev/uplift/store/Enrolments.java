package dev.uplift.store;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Joined.Admitted;
import dev.uplift.store.Joined.Denied;
import dev.uplift.store.Joined.Why;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The tables `enrolment_token` and `host_credential`: who may join, and with which keys hosts may
/// log in. A key belongs to one host for ever; once revoked it is never good again.
public final class Enrolments {
  /// A host takes another key when a person wants it to. Each that was good once stays in the list
  /// of those that are revoked for as long as its tickets: a single thief must not make that list
  /// longer than NATS takes it.
  private static final int KEYS_A_DAY = 16;

  private static final Duration A_DAY = Duration.ofDays(1);

  /// NATS judges by its own clock when a ticket has ended.
  private static final Duration CLOCKS_APART = Duration.ofHours(1);

  private final Database database;
  private final InstantSource clock;

  public Enrolments(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The host may join with this token, and with no earlier one.
  ///
  /// @throws NoSuchTenant if there is none for it
  public void invite(Invitation invitation) {
    database.run(handle -> {
      var table = new EnrolmentTable(handle);
      table.dropOpen(invitation.tenant(), invitation.host());
      table.insert(invitation, now());
      return true;
    });
  }

  /// The host of the token has this key from now on, and no other. Asked again by the same key, as
  /// after an answer that was lost, the answer is the same.
  ///
  /// @param hash of the token's secret
  /// @param expires when the ticket ends that it is given
  public Joined join(String tenant, String hash, String key, Instant expires) {
    return database.run(handle -> {
      var table = new EnrolmentTable(handle);
      table.hostOfToken(tenant, hash).ifPresent(host -> table.lockHost(tenant, host));
      Optional<EnrolmentTable.Token> token = table.lockToken(tenant, hash);
      return token
          .map(found -> join(table, tenant, hash, found, new Key(key, expires)))
          .orElseGet(() -> new Denied(Why.TOKEN_UNKNOWN));
    });
  }

  private record Key(String name, Instant expires) {}

  private Joined join(
      EnrolmentTable table, String tenant, String hash, EnrolmentTable.Token token, Key key) {
    if (token.usedKey().isPresent()) {
      return token.usedKey().get().equals(key.name())
          ? renew(table, tenant, token.host(), key)
          : new Denied(Why.TOKEN_USED);
    }
    if (!token.expires().isAfter(now())) {
      return new Denied(Why.TOKEN_EXPIRED);
    }
    if (!table.isOnDevice(tenant, token.host())) {
      return new Denied(Why.NO_SUCH_HOST);
    }
    if (table.isKnown(key.name())) {
      return new Denied(Why.KEY_REVOKED);
    }
    table.use(tenant, hash, key.name(), now());
    table.revokeOthers(tenant, token.host(), key.name(), "re-enrolled", now());
    table.insertKey(tenant, token.host(), key.name(), key.expires(), now());
    return new Admitted(token.host(), false, false);
  }

  private Joined renew(EnrolmentTable table, String tenant, HostId host, Key key) {
    Optional<EnrolmentTable.Credential> found = table.lockKey(tenant, host, key.name());
    if (found.isEmpty()) {
      return new Denied(Why.KEY_UNKNOWN);
    }
    if (found.get().isRevoked()) {
      return new Denied(Why.KEY_REVOKED);
    }
    table.extend(tenant, key.name(), key.expires());
    return new Admitted(host, found.get().isSettled(), found.get().rotates());
  }

  /// The host has shown that it has the key: its earlier ones are good no more.
  ///
  /// @param expires when the ticket ends that it is given
  public Joined renew(String tenant, HostId host, String key, Instant expires) {
    return database.run(handle -> {
      var table = new EnrolmentTable(handle);
      table.lockHost(tenant, host);
      Joined joined = renew(table, tenant, host, new Key(key, expires));
      if (joined instanceof Admitted) {
        table.revokeEarlier(tenant, host, key, "rotated", now());
      }
      return joined;
    });
  }

  /// The host has another key, beside the one that it asks with, and no third one: had somebody
  /// else asked for one too, that is good no more.
  ///
  /// @param expires when the ticket ends that it is given
  public Joined rotate(String tenant, HostId host, String key, String next, Instant expires) {
    return database.run(handle -> {
      var table = new EnrolmentTable(handle);
      table.lockHost(tenant, host);
      Joined joined = renew(table, tenant, host, new Key(key, expires));
      if (!(joined instanceof Admitted(HostId _, boolean settled, boolean _))) {
        return joined;
      }
      if (table.isKnown(next)) {
        return renew(table, tenant, host, new Key(next, expires));
      }
      if (table.countSince(tenant, host, now().minus(A_DAY)) >= KEYS_A_DAY) {
        return new Denied(Why.TOO_MANY_KEYS);
      }
      table.revokeOthers(tenant, host, key, "rotated", now());
      Instant before = table.lockKey(tenant, host, key).orElseThrow().created();
      table.insertKey(tenant, host, next, expires, after(before));
      if (settled) {
        table.settle(tenant, next, now());
      }
      return new Admitted(host, settled, false);
    });
  }

  /// Now, or a little later: the clock of the server that wrote what was before may be ahead.
  private Instant after(Instant before) {
    Instant next = before.plusMillis(1);
    return now().isAfter(next) ? now() : next;
  }

  /// What another system on the host had left is cleared away.
  public void settle(String tenant, String key) {
    database.run(handle -> {
      new EnrolmentTable(handle).settle(tenant, key, now());
      return true;
    });
  }

  /// The host is to take a new key when it asks next. Returns whether it has one now.
  public boolean wantRotation(String tenant, HostId host) {
    return database.run(handle -> new EnrolmentTable(handle).wantRotation(tenant, host) > 0);
  }

  /// No key of the host is good any more, nor is a token. Returns how many keys were.
  public int revoke(String tenant, HostId host, String by) {
    return database.run(handle -> {
      var table = new EnrolmentTable(handle);
      // Or a key that the host takes at this moment would be left.
      table.lockHost(tenant, host);
      table.dropOpen(tenant, host);
      return table.revokeOthers(tenant, host, "", by, now());
    });
  }

  /// Of all tenants: the keys that are good no more, and for which there are tickets that else
  /// would be.
  public List<Revoked> revoked() {
    return database.run(handle -> revoked(new EnrolmentTable(handle)));
  }

  private List<Revoked> revoked(EnrolmentTable table) {
    return table.revoked(now().minus(CLOCKS_APART));
  }

  /// Of all tenants: how many keys have a ticket that is still good, and ends before that time.
  public long ending(Instant before) {
    return database.run(handle -> new EnrolmentTable(handle).ending(now(), before));
  }

  /// Somebody tells the keys that are good no more. Of all servers one after the other: nobody
  /// tells an older list after a newer one. What the teller throws is thrown on, and it counts as
  /// not told.
  public void tell(RevocationList.Teller teller) {
    database.run(handle -> {
      var table = new EnrolmentTable(handle);
      RevocationList last = table.lockList();
      RevocationList told = teller.tell(last, revoked(table));
      if (!told.equals(last)) {
        table.setList(told);
      }
      return true;
    });
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
