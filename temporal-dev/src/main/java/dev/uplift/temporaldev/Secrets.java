package dev.uplift.temporaldev;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/// Keys, passwords and secrets of a stack. Each is made when it is first asked for, kept in a file
/// of its own (0600), and stays the same from then on. Passwords and secrets are 64 hexadecimal
/// digits without a line break; their characters are what counts, not what these might encode.
public final class Secrets {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path folder;
  private final Realm realm;

  Secrets(Path folder) {
    this.folder = folder;
    this.realm = new Realm(folder.resolve("nats"));
  }

  /// The private key (PKCS#8 PEM) that the server signs commands with.
  public Path commandKey() {
    return pair("command").privateKey();
  }

  /// The private key (PKCS#8 PEM) that releases are signed with; elsewhere it is kept offline.
  public Path releaseKey() {
    return pair("release").privateKey();
  }

  /// What an agent trusts: `command/*.pem` and `release/*.pem`, public keys.
  public Path trust() {
    pair("command");
    pair("release");
    return folder.resolve("trust");
  }

  /// Signs the addresses of artifacts.
  public Path artifactsSecret() {
    return secret("artifacts.secret");
  }

  /// Signs tokens.
  public Path tokenSecret() {
    return secret("tokens.secret");
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

  private KeyPairFiles pair(String name) {
    return new KeyPairFiles(folder.resolve(name + ".pem"), folder.resolve("trust").resolve(name))
        .made();
  }
}
