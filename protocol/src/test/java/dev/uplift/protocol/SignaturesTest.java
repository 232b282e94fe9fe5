package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import dev.uplift.protocol.signature.TrustedKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class SignaturesTest {
  private static final byte[] BODY = "open the door".getBytes(UTF_8);

  static final List<String> NO_SIGNATURES =
      List.of(
          "",
          ".",
          "no dot",
          "\n\n",
          TestKeys.RFC_8032.keyId() + ".",
          TestKeys.RFC_8032.keyId() + ".%%%",
          TestKeys.RFC_8032.keyId() + ".AAAA");

  @TempDir Path folder;
  private final SigningKey key = SigningKey.generate();
  private final TrustedKeys trusted = TrustedKeys.of(1, List.of(key.trustedKey()));

  @Test
  void signatureOfATrustedKeyIsTrusted() throws Exception {
    assertThat(trusted.verify(SignatureDomain.COMMAND, BODY, key.sign(SignatureDomain.COMMAND, BODY))).isTrue();
    assertThat(trusted.keyIds()).containsExactly(key.keyId());
  }

  @Test
  void signatureOfAnotherKeyIsNotTrusted() throws Exception {
    String other = SigningKey.generate().sign(SignatureDomain.COMMAND, BODY);

    assertThat(trusted.verify(SignatureDomain.COMMAND, BODY, other)).isFalse();
  }

  @Test
  void signatureOfAnotherKeyUnderATrustedIdIsNotTrusted() throws Exception {
    String other = SigningKey.generate().sign(SignatureDomain.COMMAND, BODY);
    String forged = key.keyId() + other.substring(other.indexOf('.'));

    assertThat(trusted.verify(SignatureDomain.COMMAND, BODY, forged)).isFalse();
  }

  @Test
  void signatureOverOtherBytesIsNotTrusted() throws Exception {
    String signature = key.sign(SignatureDomain.COMMAND, BODY);

    assertThat(trusted.verify(SignatureDomain.COMMAND, "open the gate".getBytes(UTF_8), signature)).isFalse();
  }

  @Test
  void signatureOfAReleaseIsNotValidForACommand() throws Exception {
    assertThat(trusted.verify(SignatureDomain.COMMAND, BODY, key.sign(SignatureDomain.RELEASE, BODY))).isFalse();
  }

  @Test
  void oneValidSignatureAmongOthersIsEnough() throws Exception {
    String lines =
        SigningKey.generate().sign(SignatureDomain.RELEASE, BODY)
            + "\n"
            + key.sign(SignatureDomain.RELEASE, BODY)
            + "\n";

    assertThat(trusted.verify(SignatureDomain.RELEASE, BODY, lines)).isTrue();
  }

  @Test
  void oneKeyCountsOnceHoweverOftenItHasSigned() throws Exception {
    SigningKey second = SigningKey.generate();
    TrustedKeys both = TrustedKeys.of(2, List.of(key.trustedKey(), second.trustedKey()));
    String line = key.sign(SignatureDomain.RELEASE, BODY) + "\n";

    assertThat(both.verify(SignatureDomain.RELEASE, BODY, line + line)).isFalse();
    assertThat(both.verify(SignatureDomain.RELEASE, BODY, line + second.sign(SignatureDomain.RELEASE, BODY))).isTrue();
  }

  @ParameterizedTest
  @FieldSource("NO_SIGNATURES")
  void malformedSignatureIsNotTrusted(String text) throws Exception {
    assertThat(TestKeys.TRUSTED.verify(SignatureDomain.COMMAND, BODY, text)).isFalse();
  }

  @Test
  void writtenKeyIsReadBack() throws Exception {
    Path file = Files.writeString(folder.resolve("private.key"), key.toPem());
    SigningKey read = SigningKey.read(file);

    assertThat(read.publicPem()).isEqualTo(key.publicPem());
    assertThat(read.sign(SignatureDomain.COMMAND, BODY)).isEqualTo(key.sign(SignatureDomain.COMMAND, BODY));
  }

  @Test
  void keyOfRfc8032HasTheDocumentedPublicKey() throws Exception {
    assertThat(TestKeys.RFC_8032.publicPem()).isEqualTo(Files.readString(TestKeys.PUBLIC));
    assertThat(TestKeys.RFC_8032.keyId()).isEqualTo("21fe31dfa154a261");
  }

  @Test
  void malformedKeyFileIsAnErrorThatNamesTheFile() throws Exception {
    Path broken =
        Files.writeString(folder.resolve("broken.pem"), "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n");

    assertThatThrownBy(() -> TrustedKey.read(broken))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("broken.pem");
  }
}
