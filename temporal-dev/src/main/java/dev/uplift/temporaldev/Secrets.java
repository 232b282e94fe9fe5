package dev.uplift.temporaldev;

import dev.uplift.protocol.SigningKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;

/// Keys, passwords and secrets of a stack. Each is made when it is first asked for, kept in a file
/// of its own (0600), and stays the same from then on. Passwords and secrets are 64 hexadecimal
/// digits without a line break; their characters are what counts, not what these might encode.
public final class Secrets {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path folder;
  private final Realm realm;
  private final Certificates certificates;

  Secrets(Path folder) {
    this.folder = folder;
    this.realm = new Realm(folder.resolve("nats"));
    this.certificates = new Certificates(folder.resolve("tls"));
  }

  /// The private key (PKCS#8 PEM) that the server signs commands with.
  public Path commandKey() {
    return key(commandKeys().resolve("1.pem"));
  }

  /// Where the server looks for its command keys.
  public Path commandKeys() {
    return folder.resolve("command");
  }

  /// The private key (PKCS#8 PEM) that releases are signed with; elsewhere it is kept offline.
  public Path releaseKey() {
    return key(folder.resolve("release.pem"));
  }

  /// The private key (PKCS#8 PEM) that roots are signed with; elsewhere it is kept offline.
  public Path rootKey() {
    return key(folder.resolve("root.pem"));
  }

  /// The roots of a tenant, `1.root.json` and `1.root.sig` at first, as `uplift keys root` keeps
  /// them.
  public synchronized Path roots(String tenant) {
    Path roots = folder.resolve("roots").resolve(tenant);
    var _ =
        new RootFiles(roots, tenant).made(read(rootKey()), read(releaseKey()), read(commandKey()));
    return roots;
  }

  /// What a host of the tenant is installed with: a folder that has its `root.json`.
  public synchronized Path trust(String tenant) {
    Path trust = folder.resolve("trust").resolve(tenant);
    Path first = new RootFiles(roots(tenant), tenant).text();
    var _ = PrivateFile.readOrMake(trust.resolve("root.json"), () -> PrivateFile.read(first));
    return trust;
  }

  /// Signs the addresses of artifacts.
  public Path artifactsSecret() {
    return secret("artifacts.secret");
  }

  /// Signs tokens.
  public Path tokenSecret() {
    return secret("tokens.secret");
  }

  /// Who vouches for servers, where these speak TLS.
  public Certificates certificates() {
    return certificates;
  }

  /// Who may log in to NATS.
  public Realm realm() {
    return realm;
  }

  /// The password of a user of the database.
  public Path password(String user) {
    return secret(user + ".password");
  }

  private Path secret(String name) {
    Path file = folder.resolve(name);
    var _ = PrivateFile.readOrMake(file, Secrets::random);
    return file;
  }

  private static String random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static Path key(Path file) {
    var _ = PrivateFile.readOrMake(file, () -> SigningKey.generate().toPem());
    return file;
  }

  private static SigningKey read(Path file) {
    try {
      return SigningKey.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new StackFailure(String.valueOf(e.getMessage()));
    }
  }
}
