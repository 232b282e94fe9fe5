package dev.uplift.cli.keys;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/// Key files in PEM, as written by openssl: PKCS#8 for private, SPKI for public keys.
public final class KeyFile {
  private KeyFile() {}

  /// Reads an Ed25519 private key.
  public static SigningKey readPrivate(Path privateKey) {
    try {
      return SigningKey.read(privateKey);
    } catch (IOException e) {
      throw UserFile.cannotRead(privateKey, e);
    } catch (GeneralSecurityException | ClassCastException e) {
      throw new CliException(CliException.USAGE, privateKey + ": expected an Ed25519 private key (PKCS#8, PEM)", e);
    }
  }

  /// Reads an Ed25519 public key.
  public static TrustedKey readPublic(Path publicKey) {
    try {
      return TrustedKey.read(publicKey);
    } catch (IOException e) {
      throw UserFile.cannotRead(publicKey, e);
    } catch (GeneralSecurityException e) {
      throw new CliException(CliException.USAGE, publicKey + ": expected an Ed25519 public key (SPKI, PEM)", e);
    }
  }

  /// Creates a key pair: `NAME.key.pem`, readable by its owner only, and `NAME.pem`. Overwrites nothing.
  public static SigningKey create(String name) {
    SigningKey key = SigningKey.generate();
    writeNew(Path.of(name + ".key.pem"), key.toPem(), "rw-------");
    writeNew(Path.of(name + ".pem"), key.publicPem(), "rw-r--r--");
    return key;
  }

  private static void writeNew(Path file, String text, String permissions) {
    UserFile.create(file, text.getBytes(US_ASCII), permissions, ", and no key is overwritten");
  }
}
