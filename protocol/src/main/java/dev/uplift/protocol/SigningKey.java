package dev.uplift.protocol;

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

  private final PrivateKey secret;
  private final PublicKey known;

  private SigningKey(KeyPair pair) {
    this.secret = pair.getPrivate();
    this.known = pair.getPublic();
  }

  public static SigningKey generate() {
    try {
      return new SigningKey(KeyPairGenerator.getInstance(Keys.ALGORITHM).generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /// The key that these 32 bytes are. Every seed is one.
  public static SigningKey ofSeed(byte[] seed) {
    try {
      return new SigningKey(pair(seed));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /// Reads a PKCS#8 PEM file. What is no such key is a [GeneralSecurityException].
  public static SigningKey read(Path pem) throws IOException, GeneralSecurityException {
    byte[] der = Keys.fromPem(pem, LABEL);
    PrivateKey key =
        KeyFactory.getInstance(Keys.ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(der));
    byte[] seed =
        ((EdECPrivateKey) key)
            .getBytes()
            .orElseThrow(() -> new GeneralSecurityException(pem + ": has no private part"));
    return new SigningKey(pair(seed));
  }

  /// The JDK has no other way from a private key to its public one: the seed is all that the
  /// generator asks of its source of randomness.
  private static KeyPair pair(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(Keys.ALGORITHM);
    generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
    return generator.generateKeyPair();
  }

  public String keyId() {
    return Keys.id(known);
  }

  /// The 32 bytes that others know it by.
  public byte[] raw() {
    return Keys.raw(known);
  }

  /// Over these bytes alone. What they are for must be a part of them.
  public byte[] sign(byte[] bytes) {
    try {
      Signature signature = Signature.getInstance(Keys.ALGORITHM);
      signature.initSign(secret);
      signature.update(bytes);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("an Ed25519 key of ours signs", e);
    }
  }

  /// `<key id>.<base64url>`: the header of a command, a line of `release.sig`.
  public String sign(Purpose purpose, byte[] bytes) {
    try {
      Signature signature = Signature.getInstance(Keys.ALGORITHM);
      signature.initSign(secret);
      purpose.feed(signature, bytes);
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
      return keyId() + "." + text;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("an Ed25519 key of ours signs", e);
    }
  }

  /// PKCS#8, PEM. A secret: whoever writes it to a file sets its permissions first.
  public String toPem() {
    return Keys.toPem(LABEL, secret.getEncoded());
  }

  /// What others need to trust this key: SPKI, PEM.
  public String publicPem() {
    return trusted().toPem();
  }

  /// The half that others know.
  public TrustedKey trusted() {
    return TrustedKey.of(known);
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
