package dev.uplift.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What people are shown of a text: control characters are written here as `\\u` and four digits.
class PrintableTextTest {
  private static String unescape(String text) {
    return text.translateEscapes().replace("ESC", "\u001b").replace("CSI", "\u009b").replace("RLO", "\u202e");
  }

  @ParameterizedTest
  @CsvSource({
    "'healthy again', 'healthy again'",
    "'Grüße ☂ 😀', 'Grüße ☂ 😀'",
    "'ESC]52;c;cm0gLXJmCg==\\7', '\uFFFD]52;c;cm0gLXJmCg==\uFFFD'",
    "'ESC[2Jgone', '\uFFFD[2Jgone'",
    "'CSI2Jgone', '\uFFFD2Jgone'",
    "'RLOtxt.exe', '\uFFFDtxt.exe'",
    "'back\\b\\b\\b\\bdone', 'back\uFFFD\uFFFD\uFFFD\uFFFDdone'",
    "'over\\rwritten', 'over\uFFFDwritten'",
    "'one\\r\\ntwo\\n\\tthree', 'one two  three'",
  })
  void noCharacterOfALineIsObeyedByATerminal(String said, String shown) {
    assertThat(PrintableText.line(unescape(said))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "'one\\r\\ntwo\\n\\tthree', 'one\\ntwo\\n\\tthree'",
    "'ESC[1Aone\\ntwo', '\uFFFD[1Aone\\ntwo'",
  })
  void linesAndTabsOfALogStay(String said, String shown) {
    assertThat(PrintableText.lines(unescape(said))).isEqualTo(unescape(shown));
  }
}
