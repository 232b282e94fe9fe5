package dev.uplift.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/// A public Ed25519 key.
///
/// @param id the first 16 hex digits of the SHA-256 of the raw key
public record TrustedKey(String id, PublicKey key) {
  static final String LABEL = "PUBLIC KEY";

  static TrustedKey of(PublicKey key) {
    return new TrustedKey(Keys.id(key), key);
  }

  /// Reads what a PEM file of the key has between its first and last line.
  ///
  /// @throws MalformedMessage where that is no such key
  static TrustedKey of(String spki) {
    try {
      return of(read(Base64.getDecoder().decode(spki)));
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      throw new MalformedMessage("keys: expected an Ed25519 public key, SPKI in base64");
    }
  }

  /// Reads a PEM file, as `openssl pkey -pubout` writes it. One that is no such key is a
  /// [GeneralSecurityException] that names it.
  public static TrustedKey read(Path pem) throws IOException, GeneralSecurityException {
    byte[] der = Keys.fromPem(pem, LABEL);
    try {
      return of(read(der));
    } catch (GeneralSecurityException e) {
      throw new GeneralSecurityException(pem + ": no Ed25519 public key", e);
    }
  }

  private static PublicKey read(byte[] spki) throws GeneralSecurityException {
    return KeyFactory.getInstance(Keys.ALGORITHM).generatePublic(new X509EncodedKeySpec(spki));
  }

  String spki() {
    return Base64.getEncoder().encodeToString(key.getEncoded());
  }

  public String toPem() {
    return Keys.toPem(LABEL, key.getEncoded());
  }

  /// Whether `signature`, base64url, is this key's over exactly these bytes for this purpose.
  boolean hasSigned(Purpose purpose, byte[] bytes, String signature) {
    try {
      Signature check = Signature.getInstance(Keys.ALGORITHM);
      check.initVerify(key);
      purpose.feed(check, bytes);
      return check.verify(Base64.getUrlDecoder().decode(signature));
    } catch (SignatureException | IllegalArgumentException _) {
      // Not the form of a signature, so not a signature.
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }
}
