package dev.uplift.cli.keys;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.cli.rest.CliException;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Set;

/// Key files in PEM, as written by openssl: PKCS#8 for private, SPKI for public keys.
public final class KeyFile {
  private static final Set<OpenOption> CREATE_NEW_OPTIONS =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private KeyFile() {}

  /// Reads an Ed25519 private key.
  public static SigningKey readPrivate(Path privateKey) {
    try {
      return SigningKey.read(privateKey);
    } catch (IOException e) {
      throw cannotRead(privateKey, e);
    } catch (GeneralSecurityException | ClassCastException e) {
      throw new CliException(
          CliException.USAGE, privateKey + ": expected an Ed25519 private key (PKCS#8, PEM)", e);
    }
  }

  /// Reads an Ed25519 public key.
  public static TrustedKey readPublic(Path publicKey) {
    try {
      return TrustedKey.read(publicKey);
    } catch (IOException e) {
      throw cannotRead(publicKey, e);
    } catch (GeneralSecurityException e) {
      throw new CliException(
          CliException.USAGE, publicKey + ": expected an Ed25519 public key (SPKI, PEM)", e);
    }
  }

  private static CliException cannotRead(Path file, IOException e) {
    return new CliException(CliException.USAGE, file + ": cannot be read (" + e + ")", e);
  }

  /// Creates a key pair: `NAME.key.pem`, readable by its owner only, and `NAME.pem`. Overwrites
  /// nothing.
  public static SigningKey create(String name) {
    SigningKey key = SigningKey.generate();
    writeNew(Path.of(name + ".key.pem"), key.toPem(), "rw-------");
    writeNew(Path.of(name + ".pem"), key.publicPem(), "rw-r--r--");
    return key;
  }

  private static void writeNew(Path file, String text, String mode) {
    var attribute = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    try (var channel = Files.newByteChannel(file, CREATE_NEW_OPTIONS, attribute)) {
      channel.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
    } catch (FileAlreadyExistsException e) {
      throw new CliException(
          CliException.FAILED, file + " already exists, and no key is overwritten", e);
    } catch (IOException e) {
      throw new CliException(CliException.FAILED, "cannot write " + file + " (" + e + ")", e);
    }
  }
}
