package dev.uplift.temporaldev;

import dev.uplift.protocol.Fields;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Rights;
import dev.uplift.protocol.nats.Ticket;
import dev.uplift.protocol.nats.Tickets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The keys of NATS and what they say, in files of their owner alone. Of a local stack and of
/// production: this is the original, and what runs has copies of parts of it.
///
///     offline/          operator, accounts: nothing that runs reads them
///     nats/             operator.jwt, accounts/<account>.jwt, for each nats-server
///     server/           server.creds, for each server
///     enrolment/        for each server that lets hosts in
///     before/           what is still good of keys that were exchanged
///
/// @param folder of all but what is offline
/// @param offline wherever that is
public record NatsKeys(Path folder, Path offline) {
  private static final List<String> ACCOUNTS = List.of("system", "streams", "devices");
  private static final String FLEET = "fleet/signing.nk";

  /// Whether they were made, all of them.
  public boolean areThere() {
    return Files.exists(folder.resolve("complete"));
  }

  /// Makes them.
  ///
  /// @throws StackFailure where there is something already: nothing is overwritten
  public void make() {
    Stream.of(folder, offline).forEach(NatsKeys::takeEmpty);
    Nkey operator = newKey(offline.resolve("operator.nk"), Nkey.Kind.OPERATOR);
    ACCOUNTS.forEach(name -> newKey(offline.resolve(name + ".nk"), Nkey.Kind.ACCOUNT));
    newKey(signing(NatsKey.OPERATOR_SIGNING), Nkey.Kind.OPERATOR);
    newKey(signing(NatsKey.HOSTS_SIGNING), Nkey.Kind.ACCOUNT);
    write(operator(), operatorClaims(operator));
    writeClaims(name -> key(offline.resolve(name + ".nk")).name());
    writeCredentials(NatsKey.SERVER, Instant.now());
    writeCredentials(NatsKey.SYSTEM, Instant.now());
    PrivateFile.write(folder.resolve("complete"), "");
  }

  private static void takeEmpty(Path folder) {
    try {
      PrivateFile.folder(folder);
      try (Stream<Path> all = Files.list(folder)) {
        if (all.findAny().isPresent()) {
          throw new StackFailure(folder + " is not empty, and no key is overwritten");
        }
      }
      // One that was there may have been open to others.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException | UncheckedIOException e) {
      throw new StackFailure("cannot make %s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  /// Makes a key that signs tickets of simulations; nothing in the field has one. Before anything
  /// of [#make] is read by nats-server.
  Path fleet() {
    Path file = folder.resolve(FLEET);
    if (!Files.exists(file)) {
      newKey(file, Nkey.Kind.ACCOUNT);
      writeClaims(this::account);
    }
    return file;
  }

  /// Makes another one, which stands beside the one before: both are good, until [#retire].
  public void rotate(NatsKey which) {
    refuseUnlessThere();
    switch (which) {
      case HOSTS_SIGNING, OPERATOR_SIGNING -> {
        Path file = signing(which);
        Nkey before = key(file);
        Nkey next = Nkey.generate(kind(which));
        List<String> good = new ArrayList<>(before(which));
        good.add(before.name());
        // The claims first: what they name and nobody has does no harm.
        writeBefore(which, good);
        if (which == NatsKey.OPERATOR_SIGNING) {
          // Both have to be known to NATS before either signs.
          write(operator(), operatorClaims(offlineKey("operator"), next.name()));
        }
        PrivateFile.write(file, next.seed());
        writeClaims(this::account);
      }
      case SERVER, SYSTEM -> {
        Instant after = issued(which).plusSeconds(1);
        Instant now = Instant.now();
        writeCredentials(which, now.isAfter(after) ? now : after);
      }
    }
  }

  /// From now on only the newest one is good.
  public void retire(NatsKey which) {
    refuseUnlessThere();
    switch (which) {
      case HOSTS_SIGNING -> writeBefore(which, List.of());
      case OPERATOR_SIGNING -> {
        Nkey operator = offlineKey("operator");
        writeBefore(which, List.of());
        write(operator(), operatorClaims(operator));
      }
      case SERVER, SYSTEM ->
          writeBefore(which, List.of(Long.toString(issued(which).getEpochSecond() - 1)));
    }
    writeClaims(this::account);
  }

  private void refuseUnlessThere() {
    if (!areThere()) {
      throw new StackFailure(folder + " has no keys of NATS, or not all of them");
    }
  }

  private interface Named {
    String of(String account);
  }

  /// What accounts may do: for servers, which bring it to NATS, and for a nats-server that is new.
  private void writeClaims(Named names) {
    Nkey signer = key(signing(NatsKey.OPERATOR_SIGNING));
    var accounts = new Accounts(names.of("streams"), Instant.now());
    claims("streams", accounts.streams(revokedUntil(NatsKey.SERVER)), signer);
    claims("system", accounts.system(names.of("system"), revokedUntil(NatsKey.SYSTEM)), signer);
    List<String> hosts = new ArrayList<>(before(NatsKey.HOSTS_SIGNING));
    hosts.add(key(signing(NatsKey.HOSTS_SIGNING)).name());
    Path fleet = folder.resolve(FLEET);
    Optional<String> simulations =
        Files.exists(fleet) ? Optional.of(key(fleet).name()) : Optional.empty();
    claims("devices", accounts.devices(names.of("devices"), hosts, simulations), signer);
  }

  private void claims(String account, Ticket claims, Nkey signer) {
    String text = claims.signedBy(signer);
    write(enrolment().resolve(account + ".jwt"), text);
    write(accounts().resolve(claims.subject() + ".jwt"), text);
  }

  private String operatorClaims(Nkey operator, String... more) {
    List<String> signers = new ArrayList<>(before(NatsKey.OPERATOR_SIGNING));
    signers.add(key(signing(NatsKey.OPERATOR_SIGNING)).name());
    signers.addAll(List.of(more));
    return new Accounts("", Instant.now())
        .operator(operator.name(), signers.stream().distinct().toList(), systemAccount())
        .signedBy(operator);
  }

  private String systemAccount() {
    return Files.exists(operator())
        ? Fields.of(Ticket.claims(PrivateFile.read(operator())))
            .inner("nats")
            .text("system_account")
        : key(offline.resolve("system.nk")).name();
  }

  private void writeCredentials(NatsKey which, Instant now) {
    boolean isServer = which == NatsKey.SERVER;
    Nkey account = offlineKey(isServer ? "streams" : "system");
    Rights rights = isServer ? Accounts.SERVER : Accounts.CLAIMS;
    Nkey own = Nkey.generate(Nkey.Kind.USER);
    String ticket =
        new Tickets(account.name(), now)
            .user(own.name(), which.toString(), rights)
            .signedBy(account);
    write(credentials(which), new Credentials(ticket, own).text());
  }

  private Instant issued(NatsKey which) {
    try {
      Fields ticket = Fields.of(Ticket.claims(Credentials.read(credentials(which)).jwt()));
      return Instant.ofEpochSecond(ticket.number("iat"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path credentials(NatsKey which) {
    return which == NatsKey.SERVER ? server() : enrolment().resolve("system.creds");
  }

  /// What servers log in with.
  public Path server() {
    return folder.resolve("server/server.creds");
  }

  /// What servers that let hosts in need besides.
  public Path enrolment() {
    return folder.resolve("enrolment");
  }

  /// Whom nats-server believes.
  public Path operator() {
    return folder.resolve("nats/operator.jwt");
  }

  /// What nats-server is to know of accounts at its first start: a file for each.
  public Path accounts() {
    return folder.resolve("nats/accounts");
  }

  /// The public name of an account: `system`, `streams` or `devices`.
  public String account(String name) {
    String claims = PrivateFile.read(enrolment().resolve(name + ".jwt"));
    return Fields.of(Ticket.claims(claims)).text("sub");
  }

  private Path signing(NatsKey which) {
    return enrolment().resolve(which + ".nk");
  }

  private static Nkey.Kind kind(NatsKey which) {
    return which == NatsKey.HOSTS_SIGNING ? Nkey.Kind.ACCOUNT : Nkey.Kind.OPERATOR;
  }

  private List<String> before(NatsKey which) {
    Path file = folder.resolve("before").resolve(which.toString());
    return Files.exists(file) ? PrivateFile.read(file).lines().toList() : List.of();
  }

  private void writeBefore(NatsKey which, List<String> lines) {
    PrivateFile.write(folder.resolve("before").resolve(which.toString()), String.join("\n", lines));
  }

  /// Tickets that were made until then are good no more.
  private long revokedUntil(NatsKey which) {
    return before(which).stream().mapToLong(Long::parseLong).findAny().orElse(0);
  }

  private Nkey offlineKey(String name) {
    Path file = offline.resolve(name + ".nk");
    if (!Files.exists(file)) {
      throw new StackFailure(file + " is needed for this, and is not there");
    }
    return key(file);
  }

  private static Nkey key(Path file) {
    return Nkey.ofSeed(PrivateFile.read(file));
  }

  private static Nkey newKey(Path file, Nkey.Kind kind) {
    Nkey key = Nkey.generate(kind);
    PrivateFile.write(file, key.seed());
    return key;
  }

  private static void write(Path file, String text) {
    PrivateFile.write(file, text);
  }
}
