package dev.uplift.protocol.signature;

import dev.uplift.protocol.json.MalformedMessage;
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
    return new TrustedKey(Ed25519Keys.id(key), key);
  }

  /// Reads what a PEM file of the key has between its first and last line.
  ///
  /// @throws MalformedMessage where that is no such key
  public static TrustedKey of(String spki) {
    try {
      return of(read(Base64.getDecoder().decode(spki)));
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      throw new MalformedMessage("keys: expected an Ed25519 public key, SPKI in base64");
    }
  }

  /// Reads a PEM file, as `openssl pkey -pubout` writes it. One that is no such key is a [GeneralSecurityException]
  /// that names it.
  public static TrustedKey read(Path pem) throws IOException, GeneralSecurityException {
    byte[] der = Ed25519Keys.fromPem(pem, LABEL);
    try {
      return of(read(der));
    } catch (GeneralSecurityException e) {
      throw new GeneralSecurityException(pem + ": no Ed25519 public key", e);
    }
  }

  private static PublicKey read(byte[] spki) throws GeneralSecurityException {
    return KeyFactory.getInstance(Ed25519Keys.ALGORITHM).generatePublic(new X509EncodedKeySpec(spki));
  }

  public String spki() {
    return Base64.getEncoder().encodeToString(key.getEncoded());
  }

  public String toPem() {
    return Ed25519Keys.toPem(LABEL, key.getEncoded());
  }

  /// Returns whether `signature`, base64url, is this key's over exactly these bytes for this purpose.
  boolean verify(SignatureDomain signatureDomain, byte[] bytes, String signature) {
    try {
      Signature check = Signature.getInstance(Ed25519Keys.ALGORITHM);
      check.initVerify(key);
      signatureDomain.update(check, bytes);
      return check.verify(Base64.getUrlDecoder().decode(signature));
    } catch (SignatureException | IllegalArgumentException _) {
      // Not the form of a signature, so not a signature.
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }
}
