package dev.uplift.temporaldev.secrets;

import dev.uplift.cli.keys.PrivateFile;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.nats.LocalNatsOperator;
import dev.uplift.temporaldev.process.StackException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;

/// Keys, passwords and secrets of a stack. Each is created at its first use and then kept in a file
/// of its own (0600). Passwords and secrets are 64 hexadecimal digits without a line break, used as
/// text.
public final class StackSecrets {
  private static final SecureRandom RANDOM = new SecureRandom();

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
    Path roots = folder.resolve("roots").resolve(tenant);
    var _ =
        new InitialRoot(roots, tenant)
            .createIfMissing(
                readKey(rootKeyFile()), readKey(releaseKeyFile()), readKey(commandKeyFile()));
    return roots;
  }

  /// Returns the folder with the `root.json` that hosts of the tenant are installed with.
  public synchronized Path trustFolder(String tenant) {
    Path trust = folder.resolve("trust").resolve(tenant);
    Path first = new InitialRoot(rootFolder(tenant), tenant).rootFile();
    var _ = PrivateFile.readOrCreate(trust.resolve("root.json"), () -> PrivateFile.read(first));
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

  private static SigningKey readKey(Path file) {
    try {
      return SigningKey.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new StackException(String.valueOf(e.getMessage()));
    }
  }
}
