package dev.uplift.protocol;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The public Ed25519 keys whose signatures count, each by its key id. One good signature is
/// enough; those of other keys beside it do no harm, so that keys can be exchanged.
public final class TrustedKeys {
  static final String LABEL = "PUBLIC KEY";

  private static final int SIGNATURES = 8;

  private final Map<String, PublicKey> keys;

  private TrustedKeys(Map<String, PublicKey> keys) {
    this.keys = keys;
  }

  /// All `*.pem` of a folder (SPKI, as `openssl pkey -pubout` writes them). One that is no such key
  /// is a [GeneralSecurityException] that names the file: to trust less than was meant is an error
  /// too.
  public static TrustedKeys read(Path folder) throws IOException, GeneralSecurityException {
    Map<String, PublicKey> keys = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.pem")) {
      for (Path file : files) {
        PublicKey key = readKey(file);
        keys.put(Keys.id(key), key);
      }
    }
    return new TrustedKeys(keys);
  }

  private static PublicKey readKey(Path file) throws IOException, GeneralSecurityException {
    byte[] der = Keys.fromPem(file, LABEL);
    try {
      return KeyFactory.getInstance(Keys.ALGORITHM).generatePublic(new X509EncodedKeySpec(der));
    } catch (GeneralSecurityException e) {
      throw new GeneralSecurityException(file + ": no Ed25519 public key", e);
    }
  }

  public Set<String> keyIds() {
    return Set.copyOf(keys.keySet());
  }

  /// Whether one of `lines`, each `<key id>.<base64url>`, is a signature of one of these keys over
  /// exactly these bytes for this purpose. Whatever else the text may be: false.
  public boolean trust(Purpose purpose, byte[] bytes, String lines) {
    return lines
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .limit(SIGNATURES)
        .anyMatch(line -> isGood(purpose, bytes, line));
  }

  private boolean isGood(Purpose purpose, byte[] bytes, String line) {
    int dot = line.indexOf('.');
    PublicKey key = dot < 0 ? null : keys.get(line.substring(0, dot));
    if (key == null) {
      return false;
    }
    try {
      Signature signature = Signature.getInstance(Keys.ALGORITHM);
      signature.initVerify(key);
      purpose.feed(signature, bytes);
      return signature.verify(Base64.getUrlDecoder().decode(line.substring(dot + 1)));
    } catch (SignatureException | IllegalArgumentException _) {
      // Not the form of a signature, so not a signature.
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }
}
