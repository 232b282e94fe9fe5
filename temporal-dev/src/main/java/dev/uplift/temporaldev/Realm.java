package dev.uplift.temporaldev;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Ticket;
import dev.uplift.protocol.nats.Tickets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// Who may log in to the nats-server of a stack: [NatsKeys], made when they are first needed, which
/// stay the same from then on, and credentials for those that do not join.
public final class Realm {
  /// How long a ticket of those is good that we hand out ourselves.
  private static final Duration GOOD_FOR = Duration.ofDays(365);

  private final Path folder;
  private final NatsKeys keys;

  Realm(Path folder) {
    this.folder = folder;
    this.keys = new NatsKeys(folder.resolve("keys"), folder.resolve("keys/offline"));
  }

  /// Where an earlier making was broken off, all is made anew.
  public synchronized NatsKeys keys() {
    if (!keys.areThere()) {
      if (Files.exists(folder)) {
        Folders.delete(folder);
      }
      keys.make();
    }
    var _ = keys.fleet();
    return keys;
  }

  /// What the server logs in with.
  public Path server() {
    return keys().server();
  }

  /// What a simulation logs in with that plays hosts of the tenant. Its inboxes are
  /// `_INBOX.<tenant>.…`.
  public Path fleet(String tenant) {
    return grant(
        folder.resolve("fleet").resolve(tenant + ".creds"),
        keys().fleet(),
        (tickets, key) -> tickets.fleet(key, tenant, tickets.now().plus(GOOD_FOR)));
  }

  /// Lets a host in without enrolment: writes what its agent logs in with, unless it is there.
  Path host(Path file, String tenant, String host) {
    return grant(
        file,
        keys().enrolment().resolve(NatsKey.HOSTS_SIGNING + ".nk"),
        (tickets, key) -> tickets.host(key, tenant, host, tickets.now().plus(GOOD_FOR)));
  }

  private interface Written {
    Ticket of(Tickets tickets, String key);
  }

  private synchronized Path grant(Path file, Path signer, Written written) {
    var _ =
        PrivateFile.readOrMake(
            file,
            () -> {
              Nkey own = Nkey.generate(Nkey.Kind.USER);
              var tickets = new Tickets(keys.account("devices"), Instant.now());
              Nkey key = Nkey.ofSeed(PrivateFile.read(signer));
              return new Credentials(written.of(tickets, own.name()).signedBy(key), own).text();
            });
    return file;
  }
}
