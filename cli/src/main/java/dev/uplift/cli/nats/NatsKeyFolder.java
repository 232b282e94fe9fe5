package dev.uplift.cli.nats;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Permissions;
import dev.uplift.protocol.nats.UserJwtFactory;
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

/// The keys, JWTs and credentials of NATS, in files that only their owner may read, for a local
/// stack and for production. The folder is the original; servers have copies of parts of it.
///
///     offline/          operator and account keys: only used offline
///     nats/             operator.jwt, accounts/<account>.jwt, for each nats-server
///     server/           server.creds, for each server
///     enrolment/        for each server with enrolment
///     previous/         previous keys that are still valid
///
/// @param folder of everything else
/// @param offlineFolder of the keys that are only used offline
public record NatsKeyFolder(Path folder, Path offlineFolder) {
  private static final List<String> ACCOUNTS = List.of("system", "streams", "devices");
  private static final String FLEET_SIGNING_KEY = "fleet/signing.nk";

  /// Returns whether all keys were created.
  public boolean isComplete() {
    return Files.exists(folder.resolve("complete"));
  }

  /// Creates all keys, JWTs and credentials.
  ///
  /// @throws CliException if a folder is not empty: nothing is overwritten
  public void create() {
    Stream.of(folder, offlineFolder).forEach(NatsKeyFolder::requireEmpty);
    Nkey operatorSigningKey = createKey(offlineFolder.resolve("operator.nk"), Nkey.Kind.OPERATOR);
    ACCOUNTS.forEach(name -> createKey(offlineFolder.resolve(name + ".nk"), Nkey.Kind.ACCOUNT));
    createKey(signingKeyFile(RotatableNatsKey.OPERATOR_SIGNING), Nkey.Kind.OPERATOR);
    createKey(signingKeyFile(RotatableNatsKey.HOSTS_SIGNING), Nkey.Kind.ACCOUNT);
    write(operatorJwt(), operatorClaims(operatorSigningKey));
    writeClaims(name -> readKey(offlineFolder.resolve(name + ".nk")).publicKey());
    writeCredentials(RotatableNatsKey.SERVER, Instant.now());
    writeCredentials(RotatableNatsKey.SYSTEM, Instant.now());
    PrivateFile.write(folder.resolve("complete"), "");
  }

  private static void requireEmpty(Path folder) {
    try {
      PrivateFile.createFolder(folder);
      try (Stream<Path> all = Files.list(folder)) {
        if (all.findAny().isPresent()) {
          throw new CliException(CliException.FAILED, folder + " is not empty, and no key is overwritten");
        }
      }
      // An existing folder may have been readable by others.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException | UncheckedIOException e) {
      throw new CliException(CliException.FAILED, "cannot create %s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  /// Creates the key that signs JWTs of simulated fleets, which production does not have. Call it before nats-server
  /// reads the files of [#create].
  public Path createFleetKey() {
    Path file = folder.resolve(FLEET_SIGNING_KEY);
    if (!Files.exists(file)) {
      createKey(file, Nkey.Kind.ACCOUNT);
      writeClaims(this::accountPublicKey);
    }
    return file;
  }

  /// Creates a new key. The previous one stays valid until [#retire].
  public void rotate(RotatableNatsKey which) {
    requireComplete();
    switch (which) {
      case HOSTS_SIGNING, OPERATOR_SIGNING -> {
        Path file = signingKeyFile(which);
        Nkey before = readKey(file);
        Nkey next = Nkey.generate(kind(which));
        List<String> valid = new ArrayList<>(previousKeys(which));
        valid.add(before.publicKey());
        // The claims first: a named key without an owner is harmless.
        writePreviousKeys(which, valid);
        if (which == RotatableNatsKey.OPERATOR_SIGNING) {
          // NATS has to know both before either signs.
          write(operatorJwt(), operatorClaims(readOfflineKey("operator"), next.publicKey()));
        }
        PrivateFile.write(file, next.seed());
        writeClaims(this::accountPublicKey);
      }
      case SERVER, SYSTEM -> {
        Instant after = issuedAt(which).plusSeconds(1);
        Instant now = Instant.now();
        writeCredentials(which, now.isAfter(after) ? now : after);
      }
    }
  }

  /// Invalidates all keys but the newest.
  public void retire(RotatableNatsKey which) {
    requireComplete();
    switch (which) {
      case HOSTS_SIGNING -> writePreviousKeys(which, List.of());
      case OPERATOR_SIGNING -> {
        Nkey operatorSigningKey = readOfflineKey("operator");
        writePreviousKeys(which, List.of());
        write(operatorJwt(), operatorClaims(operatorSigningKey));
      }
      case SERVER, SYSTEM -> writePreviousKeys(which, List.of(Long.toString(issuedAt(which).getEpochSecond() - 1)));
    }
    writeClaims(this::accountPublicKey);
  }

  private void requireComplete() {
    if (!isComplete()) {
      throw new CliException(CliException.FAILED, folder + " does not have all keys of NATS");
    }
  }

  private interface AccountNames {
    String publicKey(String account);
  }

  /// Writes the account JWTs: for servers, which publish them to NATS, and for a new nats-server.
  private void writeClaims(AccountNames names) {
    Nkey signer = readKey(signingKeyFile(RotatableNatsKey.OPERATOR_SIGNING));
    var natsAccounts = new NatsAccounts(names.publicKey("streams"), Instant.now());
    writeAccountJwt("streams", natsAccounts.streamsClaims(revokedUntil(RotatableNatsKey.SERVER)), signer);
    writeAccountJwt(
        "system", natsAccounts.systemClaims(names.publicKey("system"), revokedUntil(RotatableNatsKey.SYSTEM)), signer);
    List<String> hosts = new ArrayList<>(previousKeys(RotatableNatsKey.HOSTS_SIGNING));
    hosts.add(readKey(signingKeyFile(RotatableNatsKey.HOSTS_SIGNING)).publicKey());
    Path fleet = folder.resolve(FLEET_SIGNING_KEY);
    Optional<String> simulations = Files.exists(fleet) ? Optional.of(readKey(fleet).publicKey()) : Optional.empty();
    writeAccountJwt("devices", natsAccounts.devicesClaims(names.publicKey("devices"), hosts, simulations), signer);
  }

  private void writeAccountJwt(String account, NatsJwt claims, Nkey signer) {
    String text = claims.sign(signer);
    write(enrolmentFolder().resolve(account + ".jwt"), text);
    write(accountsFolder().resolve(claims.subject() + ".jwt"), text);
  }

  private String operatorClaims(Nkey operatorSigningKey, String... more) {
    List<String> signers = new ArrayList<>(previousKeys(RotatableNatsKey.OPERATOR_SIGNING));
    signers.add(readKey(signingKeyFile(RotatableNatsKey.OPERATOR_SIGNING)).publicKey());
    signers.addAll(List.of(more));
    return new NatsAccounts("", Instant.now())
        .operatorClaims(operatorSigningKey.publicKey(), signers.stream().distinct().toList(), systemAccountKey())
        .sign(operatorSigningKey);
  }

  private String systemAccountKey() {
    return Files.exists(operatorJwt())
        ? JsonObject.parse(NatsJwt.claims(PrivateFile.read(operatorJwt()))).object("nats").string("system_account")
        : readKey(offlineFolder.resolve("system.nk")).publicKey();
  }

  private void writeCredentials(RotatableNatsKey which, Instant now) {
    boolean isServer = which == RotatableNatsKey.SERVER;
    Nkey account = readOfflineKey(isServer ? "streams" : "system");
    Permissions permissions = isServer ? NatsAccounts.SERVER_PERMISSIONS : NatsAccounts.CLAIMS_UPDATE_PERMISSIONS;
    Nkey own = Nkey.generate(Nkey.Kind.USER);
    String jwt =
        new UserJwtFactory(account.publicKey(), now).user(own.publicKey(), which.toString(), permissions).sign(account);
    write(credentialsFile(which), new Credentials(jwt, own).format());
  }

  private Instant issuedAt(RotatableNatsKey which) {
    try {
      JsonObject claims = JsonObject.parse(NatsJwt.claims(Credentials.read(credentialsFile(which)).jwt()));
      return Instant.ofEpochSecond(claims.number("iat"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path credentialsFile(RotatableNatsKey which) {
    return which == RotatableNatsKey.SERVER ? serverCredentials() : enrolmentFolder().resolve("system.creds");
  }

  /// Returns the credentials of servers.
  public Path serverCredentials() {
    return folder.resolve("server/server.creds");
  }

  /// Returns the folder that servers with enrolment need in addition.
  public Path enrolmentFolder() {
    return folder.resolve("enrolment");
  }

  /// Returns the JWT of the operator that nats-server trusts.
  public Path operatorJwt() {
    return folder.resolve("nats/operator.jwt");
  }

  /// Returns the folder of account JWTs for the first start of a nats-server.
  public Path accountsFolder() {
    return folder.resolve("nats/accounts");
  }

  /// Returns the public key of an account: `system`, `streams` or `devices`.
  public String accountPublicKey(String name) {
    String claims = PrivateFile.read(enrolmentFolder().resolve(name + ".jwt"));
    return JsonObject.parse(NatsJwt.claims(claims)).string("sub");
  }

  private Path signingKeyFile(RotatableNatsKey which) {
    return enrolmentFolder().resolve(which + ".nk");
  }

  private static Nkey.Kind kind(RotatableNatsKey which) {
    return which == RotatableNatsKey.HOSTS_SIGNING ? Nkey.Kind.ACCOUNT : Nkey.Kind.OPERATOR;
  }

  private List<String> previousKeys(RotatableNatsKey which) {
    Path file = folder.resolve("previous").resolve(which.toString());
    return Files.exists(file) ? PrivateFile.read(file).lines().toList() : List.of();
  }

  private void writePreviousKeys(RotatableNatsKey which, List<String> lines) {
    PrivateFile.write(folder.resolve("previous").resolve(which.toString()), String.join("\n", lines));
  }

  /// Returns until when JWTs are revoked by their time of issue.
  private long revokedUntil(RotatableNatsKey which) {
    return previousKeys(which).stream().mapToLong(Long::parseLong).findAny().orElse(0);
  }

  private Nkey readOfflineKey(String name) {
    Path file = offlineFolder.resolve(name + ".nk");
    if (!Files.exists(file)) {
      throw new CliException(CliException.FAILED, file + " is needed, but missing");
    }
    return readKey(file);
  }

  private static Nkey readKey(Path file) {
    return Nkey.fromSeed(PrivateFile.read(file));
  }

  private static Nkey createKey(Path file, Nkey.Kind kind) {
    Nkey key = Nkey.generate(kind);
    PrivateFile.write(file, key.seed());
    return key;
  }

  private static void write(Path file, String text) {
    PrivateFile.write(file, text);
  }
}
