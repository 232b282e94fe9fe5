package dev.uplift.temporaldev;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Rights;
import dev.uplift.protocol.nats.Ticket;
import dev.uplift.protocol.nats.Tickets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// Who may log in to nats-server: an operator, its accounts and their keys, in a folder. They are
/// made when they are first needed, and stay the same from then on. What `offline` holds nobody
/// needs any more once it is made; elsewhere it would be kept where no server is.
public final class Realm {
  /// How long a ticket of those is good that we hand out ourselves.
  private static final Duration GOOD_FOR = Duration.ofDays(365);

  private final Path folder;

  Realm(Path folder) {
    this.folder = folder;
  }

  /// The one in this folder, which is made if it is not there.
  public static Realm in(Path folder) {
    return new Realm(folder).made();
  }

  /// Makes all that is missing. Where an earlier making was broken off, all is made anew.
  synchronized Realm made() {
    if (!Files.exists(file("complete"))) {
      if (Files.exists(folder)) {
        Folders.delete(folder);
      }
      make();
    }
    return this;
  }

  private void make() {
    Nkey operator = key("offline/operator", Nkey.Kind.OPERATOR);
    Nkey signing = key("operator-signing", Nkey.Kind.OPERATOR);
    Nkey system = key("offline/system", Nkey.Kind.ACCOUNT);
    Nkey streams = key("offline/streams", Nkey.Kind.ACCOUNT);
    Nkey devices = key("offline/devices", Nkey.Kind.ACCOUNT);
    Nkey hosts = key("hosts-signing", Nkey.Kind.ACCOUNT);
    Nkey fleet = key("fleet-signing", Nkey.Kind.ACCOUNT);
    Instant now = Instant.now();
    var accounts = new Accounts(streams.name(), now);
    write("operator.jwt", accounts.operator(operator, signing, system).signedBy(operator));
    write("system.jwt", accounts.system(system).signedBy(signing));
    write("streams.jwt", accounts.streams().signedBy(signing));
    write("devices.jwt", accounts.devices(devices, hosts, fleet).signedBy(signing));
    credentials("server", streams, Accounts.SERVER, now);
    credentials("system", system, Accounts.CLAIMS, now);
    Map.of("system", system, "streams", streams, "devices", devices)
        .forEach((name, account) -> write("names/" + name, account.name()));
    write("complete", "");
  }

  private Nkey key(String name, Nkey.Kind kind) {
    Nkey key = Nkey.generate(kind);
    write(name + ".nk", key.seed());
    return key;
  }

  private void credentials(String user, Nkey account, Rights rights, Instant now) {
    Nkey own = Nkey.generate(Nkey.Kind.USER);
    String ticket =
        new Tickets(account.name(), now).user(own.name(), user, rights).signedBy(account);
    write(user + ".creds", new Credentials(ticket, own).text());
  }

  /// The folder, for a server that lets hosts in.
  public Path folder() {
    return made().folder;
  }

  /// What the server logs in with.
  public Path server() {
    return made().file("server.creds");
  }

  /// What a simulation logs in with that plays hosts of the tenant. Its inboxes are
  /// `_INBOX.<tenant>.…`.
  public Path fleet(String tenant) {
    Path file = made().file("fleet/" + tenant + ".creds");
    return grant(
        file,
        "fleet-signing",
        (tickets, key) -> tickets.fleet(key, tenant, tickets.now().plus(GOOD_FOR)));
  }

  /// Lets a host in without enrolment: writes what its agent logs in with, unless it is there.
  Path host(Path file, String tenant, String host) {
    return made()
        .grant(
            file,
            "hosts-signing",
            (tickets, key) -> tickets.host(key, tenant, host, tickets.now().plus(GOOD_FOR)));
  }

  private interface Written {
    Ticket of(Tickets tickets, String key);
  }

  private synchronized Path grant(Path file, String signer, Written written) {
    var _ =
        PrivateFile.readOrMake(
            file,
            () -> {
              Nkey own = Nkey.generate(Nkey.Kind.USER);
              Nkey key = Nkey.ofSeed(PrivateFile.read(file(signer + ".nk")));
              var tickets = new Tickets(name("devices"), Instant.now());
              String ticket = written.of(tickets, own.name()).signedBy(key);
              return new Credentials(ticket, own).text();
            });
    return file;
  }

  /// The public name of an account: `system`, `streams` or `devices`.
  String name(String account) {
    return PrivateFile.read(made().file("names/" + account));
  }

  /// What the account may do, as nats-server is to know it at first.
  String account(String account) {
    return PrivateFile.read(made().file(account + ".jwt"));
  }

  String operator() {
    return PrivateFile.read(made().file("operator.jwt"));
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private void write(String name, String text) {
    PrivateFile.write(file(name), text);
  }
}
