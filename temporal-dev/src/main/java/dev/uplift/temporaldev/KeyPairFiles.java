package dev.uplift.temporaldev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/// An Ed25519 key pair as openssl writes it: the private key as PKCS#8, the public one in a folder
/// of trusted keys, named by its key id.
record KeyPairFiles(Path privateKey, Path trusted) {
  /// Makes both where the private one is absent. A public one without its private one is removed.
  KeyPairFiles made() {
    if (!Files.exists(privateKey)) {
      empty(PrivateFile.folder(trusted));
      KeyPair pair = generate();
      byte[] encoded = pair.getPublic().getEncoded();
      PrivateFile.write(trusted.resolve(keyId(encoded) + ".pem"), pem("PUBLIC KEY", encoded));
      PrivateFile.write(privateKey, pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
    }
    return this;
  }

  private static KeyPair generate() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /// The first 16 hex digits of the SHA-256 of the raw key, which is the end of its encoding.
  private static String keyId(byte[] encoded) {
    try {
      byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(raw);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String pem(String type, byte[] encoded) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, text, type);
  }

  private static void empty(Path folder) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
