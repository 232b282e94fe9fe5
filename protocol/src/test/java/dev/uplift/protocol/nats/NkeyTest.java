package dev.uplift.protocol.nats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NkeyTest {
  /// From the documentation of nkeys, like the public key.
  private static final String SEED = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";

  private static final String NAME = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

  private static final byte[] TEXT = "a nonce".getBytes(UTF_8);

  @Test
  void keysAreEncodedLikeNats() {
    Nkey key = Nkey.fromSeed(SEED);
    assertThat(key.publicKey()).isEqualTo(NAME);
    assertThat(key.seed()).isEqualTo(SEED);
    assertThat(key).hasToString(NAME);
  }

  @ParameterizedTest
  @EnumSource
  void signatureIsVerifiedByItsPublicKeyOnly(Nkey.Kind kind) {
    Nkey key = Nkey.generate(kind);
    byte[] signature = Nkey.fromSeed(key.seed()).sign(TEXT);
    assertThat(Nkey.isPublicKey(kind, key.publicKey())).isTrue();
    assertThat(Nkey.verify(key.publicKey(), TEXT, signature)).isTrue();
    assertThat(Nkey.verify(Nkey.generate(kind).publicKey(), TEXT, signature)).isFalse();
    assertThat(Nkey.verify(key.publicKey(), new byte[1], signature)).isFalse();
    assertThat(Nkey.verify(key.publicKey(), TEXT, new byte[3])).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "U",
        "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF5",
        "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY",
        "U*XU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
      })
  void invalidPublicKeyOfAUserIsRejected(String text) {
    assertThat(Nkey.isPublicKey(Nkey.Kind.USER, text)).isFalse();
    assertThat(Nkey.verify(text, TEXT, new byte[64])).isFalse();
  }

  @Test
  void writtenCredentialsAreReadBack(@TempDir Path folder) throws IOException {
    var credentials = new Credentials("a.b.c", Nkey.fromSeed(SEED));
    Path file = Files.writeString(folder.resolve("creds"), credentials.format());
    Credentials read = Credentials.read(file);
    assertThat(read.jwt()).isEqualTo("a.b.c");
    assertThat(read.key().seed()).isEqualTo(SEED);
    assertThat(read).asString().doesNotContain(SEED, "a.b.c");
  }

  @Test
  void aTruncatedFileIsRejectedWithoutPrintingItsContent(@TempDir Path folder) throws IOException {
    String whole = new Credentials("a.b.c", Nkey.fromSeed(SEED)).format();
    String torn = whole.replace(SEED, SEED.substring(0, 50));
    Path file = Files.writeString(folder.resolve("creds"), torn);
    assertThatThrownBy(() -> Credentials.read(file))
        .hasMessageContaining(file.toString())
        .message()
        .doesNotContain(SEED.substring(0, 20));
  }
}
