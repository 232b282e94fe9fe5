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
  /// Both from the documentation of nkeys.
  private static final String SEED = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";

  private static final String NAME = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

  private static final byte[] TEXT = "a nonce".getBytes(UTF_8);

  @Test
  void keysAreWrittenAsNatsWritesThem() {
    Nkey key = Nkey.ofSeed(SEED);
    assertThat(key.name()).isEqualTo(NAME);
    assertThat(key.seed()).isEqualTo(SEED);
    assertThat(key).hasToString(NAME);
  }

  @ParameterizedTest
  @EnumSource
  void whatAKeySignsItsNameTellsAndNoOthers(Nkey.Kind kind) {
    Nkey key = Nkey.generate(kind);
    byte[] signature = Nkey.ofSeed(key.seed()).sign(TEXT);
    assertThat(Nkey.isName(kind, key.name())).isTrue();
    assertThat(Nkey.hasSigned(key.name(), TEXT, signature)).isTrue();
    assertThat(Nkey.hasSigned(Nkey.generate(kind).name(), TEXT, signature)).isFalse();
    assertThat(Nkey.hasSigned(key.name(), new byte[1], signature)).isFalse();
    assertThat(Nkey.hasSigned(key.name(), TEXT, new byte[3])).isFalse();
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
  void whatIsNoNameOfAUserIsSaidToBeNone(String text) {
    assertThat(Nkey.isName(Nkey.Kind.USER, text)).isFalse();
    assertThat(Nkey.hasSigned(text, TEXT, new byte[64])).isFalse();
  }

  @Test
  void credentialsAreReadAsTheyAreWritten(@TempDir Path folder) throws IOException {
    var credentials = new Credentials("a.b.c", Nkey.ofSeed(SEED));
    Path file = Files.writeString(folder.resolve("creds"), credentials.text());
    Credentials read = Credentials.read(file);
    assertThat(read.jwt()).isEqualTo("a.b.c");
    assertThat(read.key().seed()).isEqualTo(SEED);
    assertThat(read).asString().doesNotContain(SEED, "a.b.c");
  }

  @Test
  void aTornFileIsRefusedWithoutShowingWhatIsInIt(@TempDir Path folder) throws IOException {
    String whole = new Credentials("a.b.c", Nkey.ofSeed(SEED)).text();
    String torn = whole.replace(SEED, SEED.substring(0, 50));
    Path file = Files.writeString(folder.resolve("creds"), torn);
    assertThatThrownBy(() -> Credentials.read(file))
        .hasMessageContaining(file.toString())
        .message()
        .doesNotContain(SEED.substring(0, 20));
  }
}
