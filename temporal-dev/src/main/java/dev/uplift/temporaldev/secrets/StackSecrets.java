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

/// Keys, passwords and secrets of a stack. Each is made when it is first asked for, kept in a file
/// of its own (0600), and stays the same from then on. Passwords and secrets are 64 hexadecimal
/// digits without a line break; their characters are what counts, not what these might encode.
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

  /// The private key (PKCS#8 PEM) that the server signs commands with.
  public Path commandKeyFile() {
    return createKey(commandKeysFolder().resolve("1.pem"));
  }

  /// Where the server looks for its command keys.
  public Path commandKeysFolder() {
    return folder.resolve("command");
  }

  /// The private key (PKCS#8 PEM) that releases are signed with; elsewhere it is kept offline.
  public Path releaseKeyFile() {
    return createKey(folder.resolve("release.pem"));
  }

  /// The private key (PKCS#8 PEM) that roots are signed with; elsewhere it is kept offline.
  public Path rootKeyFile() {
    return createKey(folder.resolve("root.pem"));
  }

  /// The roots of a tenant, `1.root.json` and `1.root.sig` at first, as `uplift keys root` keeps
  /// them.
  public synchronized Path rootFolder(String tenant) {
    Path roots = folder.resolve("roots").resolve(tenant);
    var _ =
        new InitialRoot(roots, tenant)
            .createIfMissing(
                readKey(rootKeyFile()), readKey(releaseKeyFile()), readKey(commandKeyFile()));
    return roots;
  }

  /// What a host of the tenant is installed with: a folder that has its `root.json`.
  public synchronized Path trustFolder(String tenant) {
    Path trust = folder.resolve("trust").resolve(tenant);
    Path first = new InitialRoot(rootFolder(tenant), tenant).rootFile();
    var _ = PrivateFile.readOrCreate(trust.resolve("root.json"), () -> PrivateFile.read(first));
    return trust;
  }

  /// Signs the addresses of artifacts.
  public Path artifactsSecretFile() {
    return createSecret("artifacts.secret");
  }

  /// Signs tokens.
  public Path tokenSecretFile() {
    return createSecret("tokens.secret");
  }

  /// Who vouches for servers, where these speak TLS.
  public TlsCertificates certificates() {
    return certificates;
  }

  /// Who may log in to NATS.
  public LocalNatsOperator natsOperator() {
    return natsOperator;
  }

  /// The password of a user of the database.
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
