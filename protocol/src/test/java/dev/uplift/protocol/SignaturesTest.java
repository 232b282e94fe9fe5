package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
          TestKey.RFC_8032.keyId() + ".",
          TestKey.RFC_8032.keyId() + ".%%%",
          TestKey.RFC_8032.keyId() + ".AAAA");

  @TempDir Path folder;
  private final SigningKey key = SigningKey.generate();
  private final TrustedKeys trusted = TrustedKeys.of(1, List.of(key.trusted()));

  @Test
  void signatureOfATrustedKeyIsTrusted() throws Exception {
    assertThat(trusted.trust(Purpose.COMMAND, BODY, key.sign(Purpose.COMMAND, BODY))).isTrue();
    assertThat(trusted.keyIds()).containsExactly(key.keyId());
  }

  @Test
  void signatureOfAnotherKeyIsNot() throws Exception {
    String other = SigningKey.generate().sign(Purpose.COMMAND, BODY);

    assertThat(trusted.trust(Purpose.COMMAND, BODY, other)).isFalse();
  }

  @Test
  void signatureOfAnotherKeyUnderTheIdOfATrustedOneIsNot() throws Exception {
    String other = SigningKey.generate().sign(Purpose.COMMAND, BODY);
    String forged = key.keyId() + other.substring(other.indexOf('.'));

    assertThat(trusted.trust(Purpose.COMMAND, BODY, forged)).isFalse();
  }

  @Test
  void signatureOverOtherBytesIsNot() throws Exception {
    String signature = key.sign(Purpose.COMMAND, BODY);

    assertThat(trusted.trust(Purpose.COMMAND, "open the gate".getBytes(UTF_8), signature))
        .isFalse();
  }

  @Test
  void signatureOfAReleaseIsNoneOfACommand() throws Exception {
    assertThat(trusted.trust(Purpose.COMMAND, BODY, key.sign(Purpose.RELEASE, BODY))).isFalse();
  }

  @Test
  void oneGoodSignatureAmongOthersIsEnough() throws Exception {
    String lines =
        SigningKey.generate().sign(Purpose.RELEASE, BODY)
            + "\n"
            + key.sign(Purpose.RELEASE, BODY)
            + "\n";

    assertThat(trusted.trust(Purpose.RELEASE, BODY, lines)).isTrue();
  }

  @Test
  void oneKeyCountsOnceHoweverOftenItHasSigned() throws Exception {
    SigningKey second = SigningKey.generate();
    TrustedKeys both = TrustedKeys.of(2, List.of(key.trusted(), second.trusted()));
    String line = key.sign(Purpose.RELEASE, BODY) + "\n";

    assertThat(both.trust(Purpose.RELEASE, BODY, line + line)).isFalse();
    assertThat(both.trust(Purpose.RELEASE, BODY, line + second.sign(Purpose.RELEASE, BODY)))
        .isTrue();
  }

  @ParameterizedTest
  @FieldSource("NO_SIGNATURES")
  void whatIsNoSignatureIsNotTrusted(String text) throws Exception {
    assertThat(TestKey.TRUSTED.trust(Purpose.COMMAND, BODY, text)).isFalse();
  }

  @Test
  void keyIsTheSameAfterItWasWrittenAndRead() throws Exception {
    Path file = Files.writeString(folder.resolve("private.key"), key.toPem());
    SigningKey read = SigningKey.read(file);

    assertThat(read.publicPem()).isEqualTo(key.publicPem());
    assertThat(read.sign(Purpose.COMMAND, BODY)).isEqualTo(key.sign(Purpose.COMMAND, BODY));
  }

  @Test
  void keyOfRfc8032HasThePublicKeyThatTheRfcSays() throws Exception {
    assertThat(TestKey.RFC_8032.publicPem()).isEqualTo(Files.readString(TestKey.PUBLIC));
    assertThat(TestKey.RFC_8032.keyId()).isEqualTo("21fe31dfa154a261");
  }

  @Test
  void fileThatIsNoKeyIsAnErrorThatNamesIt() throws Exception {
    Path broken =
        Files.writeString(
            folder.resolve("broken.pem"),
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n");

    assertThatThrownBy(() -> TrustedKey.read(broken))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("broken.pem");
  }
}
