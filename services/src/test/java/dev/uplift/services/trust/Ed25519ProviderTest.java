package dev.uplift.services.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.signature.SigningKey;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class Ed25519ProviderTest {
  private static final String OF_THE_JDK = "SunEC";
  private static final String OURS = "UpliftEd25519";

  @BeforeAll
  static void install() {
    Ed25519Provider.install();
    Ed25519Provider.install();
  }

  @AfterAll
  static void remove() {
    Security.removeProvider(OURS);
  }

  /// RFC 8032, section 7.1, TEST 3.
  @Test
  void signsAsTheStandardSays() {
    SigningKey key = SigningKey.fromSeed(hex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"));

    assertThat(key.sign(hex("af82")))
        .isEqualTo(
            hex(
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                    + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"));
  }

  @Test
  void isUsedWhereNoProviderIsNamed() throws Exception {
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(privateKey(SigningKey.generate()));

    assertThat(signature.getProvider().getName()).isEqualTo(OURS);
  }

  @Test
  void signaturesAreThoseOfTheJdkAndEachVerifiesTheOthers() throws Exception {
    Random random = new Random(1);
    for (int length : new int[] {0, 1, 63, 64, 1_000, 70_000}) {
      SigningKey key = SigningKey.generate();
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);

      byte[] signed = sign(OURS, privateKey(key), bytes);
      assertThat(signed).isEqualTo(sign(OF_THE_JDK, privateKey(key), bytes));

      PublicKey publicKey = key.trustedKey().key();
      assertThat(verify(OURS, publicKey, bytes, signed)).isTrue();
      assertThat(verify(OF_THE_JDK, publicKey, bytes, signed)).isTrue();
    }
  }

  @Test
  void whatIsChangedOrOfAnotherKeyIsNoSignature() throws Exception {
    SigningKey key = SigningKey.generate();
    PublicKey publicKey = key.trustedKey().key();
    byte[] bytes = "do this".getBytes(UTF_8);
    byte[] signed = key.sign(bytes);

    for (int i = 0; i < signed.length; i++) {
      byte[] changed = signed.clone();
      changed[i] ^= 1;
      assertThat(accepts(publicKey, bytes, changed)).as("byte %d changed", i).isFalse();
    }
    assertThat(verify(OURS, publicKey, "do that".getBytes(UTF_8), signed)).isFalse();
    assertThat(verify(OURS, SigningKey.generate().trustedKey().key(), bytes, signed)).isFalse();
  }

  @Test
  void whatHasNotTheLengthOfASignatureIsNone() throws Exception {
    SigningKey key = SigningKey.generate();
    byte[] bytes = "do this".getBytes(UTF_8);
    byte[] signed = key.sign(bytes);

    for (int length : new int[] {0, 1, 63, 65, 128}) {
      assertThat(accepts(key.trustedKey().key(), bytes, Arrays.copyOf(signed, length)))
          .as("%d bytes", length)
          .isFalse();
    }
  }

  @Test
  void keysOfOtherAlgorithmsAreRefused() throws Exception {
    Signature signature = Signature.getInstance("Ed25519", OURS);
    PrivateKey other = KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate();

    assertThatThrownBy(() -> signature.initSign(other)).isInstanceOf(InvalidKeyException.class);
  }

  private static boolean accepts(PublicKey key, byte[] bytes, byte[] signed) throws GeneralSecurityException {
    try {
      return verify(OURS, key, bytes, signed);
    } catch (SignatureException _) {
      return false;
    }
  }

  private static byte[] sign(String provider, PrivateKey key, byte[] bytes) throws GeneralSecurityException {
    Signature signature = Signature.getInstance("Ed25519", provider);
    signature.initSign(key);
    signature.update(bytes);
    return signature.sign();
  }

  private static boolean verify(String provider, PublicKey key, byte[] bytes, byte[] signed)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance("Ed25519", provider);
    signature.initVerify(key);
    signature.update(bytes);
    return signature.verify(signed);
  }

  private static PrivateKey privateKey(SigningKey key) throws GeneralSecurityException {
    String pem = key.toPem().replaceAll("-----[A-Z ]+-----|\\s", "");
    return KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
