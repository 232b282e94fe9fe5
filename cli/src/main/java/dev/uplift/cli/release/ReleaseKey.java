package dev.uplift.cli.release;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.cli.rest.CommandFailed;
import java.io.Serial;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/// An Ed25519 key pair that says which releases may exist. Its files are PEM: PKCS#8 the private,
/// SPKI the public half, as `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write
/// them.
public final class ReleaseKey {
  private static final byte[] PREFIX = "uplift-release-v1\0".getBytes(US_ASCII);
  private static final int RAW_LENGTH = 32;

  private final PrivateKey secret;
  private final PublicKey open;

  private ReleaseKey(KeyPair pair) {
    this.secret = pair.getPrivate();
    this.open = pair.getPublic();
  }

  public static ReleaseKey random() {
    return new ReleaseKey(pair(new SecureRandom()));
  }

  public static ReleaseKey read(Path privateKey) {
    byte[] der = Pem.read(privateKey, "PRIVATE KEY");
    try {
      var secret =
          (EdECPrivateKey)
              KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(der));
      return new ReleaseKey(pair(new Seed(secret.getBytes().orElseThrow())));
    } catch (GeneralSecurityException | ClassCastException e) {
      throw new CommandFailed(
          CommandFailed.USAGE, privateKey + ": expected an Ed25519 private key (PKCS#8)", e);
    }
  }

  /// First 16 hex digits of the SHA-256 of the raw public key.
  public String id() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(raw());
      return HexFormat.of().formatHex(digest).substring(0, 16);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public String privatePem() {
    return Pem.of("PRIVATE KEY", secret.getEncoded());
  }

  public String publicPem() {
    return Pem.of("PUBLIC KEY", open.getEncoded());
  }

  /// The line of `release.sig` for these bytes of `release.json`. Equal bytes give an equal line.
  public String sign(byte[] release) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(secret);
      signature.update(PREFIX);
      signature.update(release);
      return id()
          + "."
          + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign())
          + "\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /// The last 32 bytes of an SPKI: the rest only says that this is Ed25519.
  private byte[] raw() {
    byte[] spki = open.getEncoded();
    return Arrays.copyOfRange(spki, spki.length - RAW_LENGTH, spki.length);
  }

  private static KeyPair pair(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
      generator.initialize(NamedParameterSpec.ED25519, random);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /// Hands the generator the private key that is there already: the only way in which the JDK
  /// derives the public half from it.
  private static final class Seed extends SecureRandom {
    @Serial private static final long serialVersionUID = 1;

    private final byte[] bytes;

    Seed(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void nextBytes(byte[] out) {
      System.arraycopy(bytes, 0, out, 0, out.length);
    }
  }
}
