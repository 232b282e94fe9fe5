package dev.uplift.agent.driver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class KeyValuesTest {
  @Test
  void whatIsWrittenIsRead() {
    var texts = new TreeMap<>(Map.of("a", "plain", "b", "two\nlines\r\n", "c", "C:\\new", "d", "x=y", "e", ""));

    assertThat(KeyValues.read(new String(KeyValues.write(texts), UTF_8))).isEqualTo(texts);
  }

  @Test
  void equalTextsAreEqualBytesInTheOrderOfTheirNames() {
    assertThat(new String(KeyValues.write(new TreeMap<>(Map.of("b", "2", "a", "1\n"))), UTF_8))
        .isEqualTo("a=1\\n\nb=2\n");
  }

  @Test
  void linesOfAnotherFormAreLeftOut() {
    assertThat(KeyValues.read("no pair\n=nothing\nversion=1.0\n")).isEqualTo(Map.of("version", "1.0"));
  }
}
