package dev.uplift.temporaldev.secrets;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.keys.RootDraft;
import dev.uplift.cli.keys.RootFolder;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.nats.LocalNatsOperator;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/// Keys, passwords and secrets of a stack. Each is created at its first use and then kept in a file of its own (0600).
/// Passwords and secrets are 64 hexadecimal digits without a line break, used as text.
public final class StackSecrets {
  private static final SecureRandom RANDOM = new SecureRandom();

  /// Longer than any local stack exists.
  private static final Duration ROOT_VALIDITY = Duration.ofDays(3650);

  private final Path folder;
  private final LocalNatsOperator natsOperator;
  private final TlsCertificates certificates;

  public StackSecrets(Path folder) {
    this.folder = folder;
    this.natsOperator = new LocalNatsOperator(folder.resolve("nats"));
    this.certificates = new TlsCertificates(folder.resolve("tls"));
  }

  /// Returns the private key (PKCS#8 PEM) of the server, which signs commands.
  public Path commandKeyFile() {
    return createKey(commandKeysFolder().resolve("1.pem"));
  }

  /// Returns the folder of the server's command keys.
  public Path commandKeysFolder() {
    return folder.resolve("command");
  }

  /// Returns the private key (PKCS#8 PEM) that signs releases; in production it is kept offline.
  public Path releaseKeyFile() {
    return createKey(folder.resolve("release.pem"));
  }

  /// Returns the private key (PKCS#8 PEM) that signs roots; in production it is kept offline.
  public Path rootKeyFile() {
    return createKey(folder.resolve("root.pem"));
  }

  /// Returns the folder of the roots of a tenant for `uplift keys root`, with at least the first.
  public synchronized Path rootFolder(String tenant) {
    RootFolder roots = new RootFolder(PrivateFile.createFolder(folder.resolve("roots").resolve(tenant)));
    SigningKey rootKey = KeyFile.readPrivate(rootKeyFile());
    if (!roots.versions().contains(1L)) {
      Instant expiry = Instant.now().plus(ROOT_VALIDITY).truncatedTo(ChronoUnit.SECONDS);
      TrustRoot root =
          RootDraft.create(tenant, 1, expiry)
              .add(Role.ROOT, rootKey.trustedKey())
              .add(Role.RELEASE, KeyFile.readPrivate(releaseKeyFile()).trustedKey())
              .add(Role.COMMAND, KeyFile.readPrivate(commandKeyFile()).trustedKey())
              .build();
      PrivateFile.write(roots.folder().resolve("1.root.sig"), "");
      PrivateFile.write(roots.folder().resolve("1.root.json"), root.write());
    }
    if (roots.signedRoot(1).signature().isBlank()) {
      roots.sign(1, rootKey);
    }
    return roots.folder();
  }

  /// Returns the folder with the `root.json` that hosts of the tenant are installed with.
  public synchronized Path trustFolder(String tenant) {
    Path trust = folder.resolve("trust").resolve(tenant);
    RootFolder roots = new RootFolder(rootFolder(tenant));
    var _ = PrivateFile.readOrCreate(trust.resolve("root.json"), () -> roots.signedRoot(1).root());
    return trust;
  }

  /// Returns the secret that signs URLs of artifacts.
  public Path artifactsSecretFile() {
    return createSecret("artifacts.secret");
  }

  /// Returns the secret that signs tokens.
  public Path tokenSecretFile() {
    return createSecret("tokens.secret");
  }

  /// Returns the certificates of the servers for TLS.
  public TlsCertificates certificates() {
    return certificates;
  }

  /// Returns the operator of NATS, which issues credentials.
  public LocalNatsOperator natsOperator() {
    return natsOperator;
  }

  /// Returns the password of a user of the database.
  public Path passwordFile(String user) {
    return createSecret(user + ".password");
  }

  private Path createSecret(String name) {
    Path file = folder.resolve(name);
    var _ = PrivateFile.readOrCreate(file, StackSecrets::randomHex);
    return file;
  }

  private static String randomHex() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static Path createKey(Path file) {
    var _ = PrivateFile.readOrCreate(file, () -> SigningKey.generate().toPem());
    return file;
  }
}
