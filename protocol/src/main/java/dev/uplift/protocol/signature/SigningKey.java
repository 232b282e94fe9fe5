package dev.uplift.protocol.signature;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/// A private Ed25519 key. Its files are PEM, as `openssl genpkey -algorithm ed25519` writes them.
public final class SigningKey {
  private static final String LABEL = "PRIVATE KEY";

  private final PrivateKey privateKey;
  private final PublicKey publicKey;

  private SigningKey(KeyPair pair) {
    this.privateKey = pair.getPrivate();
    this.publicKey = pair.getPublic();
  }

  public static SigningKey generate() {
    try {
      return new SigningKey(KeyPairGenerator.getInstance(Ed25519Keys.ALGORITHM).generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /// The key that these 32 bytes are. Every seed is one.
  public static SigningKey fromSeed(byte[] seed) {
    try {
      return new SigningKey(pair(seed));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /// Reads a PKCS#8 PEM file. What is no such key is a [GeneralSecurityException].
  public static SigningKey read(Path pem) throws IOException, GeneralSecurityException {
    byte[] der = Ed25519Keys.fromPem(pem, LABEL);
    PrivateKey key = KeyFactory.getInstance(Ed25519Keys.ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(der));
    byte[] seed =
        ((EdECPrivateKey) key)
            .getBytes()
            .orElseThrow(() -> new GeneralSecurityException(pem + ": has no private part"));
    return new SigningKey(pair(seed));
  }

  /// The JDK has no other way from a private key to its public one: the seed is all that the generator asks of its
  /// source of randomness.
  private static KeyPair pair(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(Ed25519Keys.ALGORITHM);
    generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
    return generator.generateKeyPair();
  }

  public String keyId() {
    return Ed25519Keys.id(publicKey);
  }

  /// The 32 bytes that others know it by.
  public byte[] rawPublicKey() {
    return Ed25519Keys.raw(publicKey);
  }

  /// Over these bytes alone. What they are for must be a part of them.
  public byte[] sign(byte[] bytes) {
    try {
      Signature signature = Signature.getInstance(Ed25519Keys.ALGORITHM);
      signature.initSign(privateKey);
      signature.update(bytes);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("signing with an Ed25519 key failed", e);
    }
  }

  /// `<key id>.<base64url>`: the header of a command, a line of `release.sig`.
  public String sign(SignatureDomain signatureDomain, byte[] bytes) {
    try {
      Signature signature = Signature.getInstance(Ed25519Keys.ALGORITHM);
      signature.initSign(privateKey);
      signatureDomain.update(signature, bytes);
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
      return keyId() + "." + text;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("signing with an Ed25519 key failed", e);
    }
  }

  /// PKCS#8, PEM. A secret: set the permissions of a file before writing it there.
  public String toPem() {
    return Ed25519Keys.toPem(LABEL, privateKey.getEncoded());
  }

  /// The public key: SPKI, PEM.
  public String publicPem() {
    return trustedKey().toPem();
  }

  /// The half that others know.
  public TrustedKey trustedKey() {
    return TrustedKey.of(publicKey);
  }

  private static final class Seed extends SecureRandom {
    private static final long serialVersionUID = 1;

    private final byte[] seed;

    Seed(byte[] seed) {
      this.seed = seed.clone();
    }

    @Override
    public void nextBytes(byte[] bytes) {
      System.arraycopy(seed, 0, bytes, 0, bytes.length);
    }
  }
}
