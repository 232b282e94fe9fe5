package dev.uplift.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);

  @Test
  void aLineThatStaysPushesTheBlockDown() {
    var screen = new Screen(out, new Terminal(true, false, 24, 80));

    screen.drawBlock(List.of("one", "two"));
    screen.printLine("stays");

    assertThat(shown()).isEqualTo("one\ntwo\n\u001b[2A\r\u001b[Kstays\n\u001b[Kone\n\u001b[Ktwo\n");
  }

  @Test
  void anEqualBlockIsNotDrawnAgain() {
    var screen = new Screen(out, new Terminal(true, false, 24, 80));

    screen.drawBlock(List.of("one"));
    screen.drawBlock(List.of("one"));

    assertThat(shown()).isEqualTo("one\n");
  }

  @Test
  void whereNothingCanBeRedrawnOnlyLinesThatStayAreShown() {
    var screen = new Screen(out, Terminal.PLAIN);

    screen.drawBlock(List.of("one"));
    screen.printLine("stays");

    assertThat(shown()).isEqualTo("stays\n");
  }

  @Test
  void noColorTakesColoursAndLeavesTheRedrawing() {
    Terminal plain = Terminal.of(Map.of("TERM", "xterm", "NO_COLOR", "1"), true, "24 80");
    Terminal coloured = Terminal.of(Map.of("TERM", "xterm"), true, "24 80");

    assertThat(plain).isEqualTo(new Terminal(true, false, 24, 80));
    assertThat(plain.red("x")).isEqualTo("x");
    assertThat(coloured.red("x")).isEqualTo("\u001b[31mx\u001b[0m");
  }

  @Test
  void aDumbTerminalAndAFileGetPlainLines() {
    assertThat(Terminal.of(Map.of("TERM", "dumb"), true, "")).isEqualTo(Terminal.PLAIN);
    assertThat(Terminal.of(Map.of("TERM", "xterm"), false, "")).isEqualTo(Terminal.PLAIN);
  }

  @Test
  void aBlockThatIsTooHighIsCutOff() {
    var screen = new Screen(out, Terminal.of(Map.of("TERM", "xterm"), true, "8 80"));

    screen.drawBlock(List.of("1", "2", "3", "4", "5", "6", "7", "8"));

    assertThat(shown()).isEqualTo("1\n2\n3\n4\n5\n6\n  … 2 more\n");
  }

  @Test
  void theScreenIsNeverErasedAsAWhole() {
    var screen = new Screen(out, new Terminal(true, false, 24, 80));

    screen.drawBlock(List.of("one", "two"));
    screen.drawBlock(List.of("one", "2"));
    screen.drawBlock(List.of("all"));

    assertThat(shown()).isEqualTo("one\ntwo\n\u001b[2A\r\u001b[Kone\n\u001b[K2\n\u001b[2A\r\u001b[Kall\n\u001b[J");
  }

  @Test
  void onlyStylesOfOursReachATerminal() {
    Terminal coloured = Terminal.of(Map.of("TERM", "xterm"), true, "24 80");
    var screen = new Screen(out, coloured);

    screen.printLine(coloured.red("failed") + ": \u001b]0;title\u0007\u202e\u001b[2J\nnext line");

    assertThat(shown()).isEqualTo("\u001b[31mfailed\u001b[0m: \uFFFD]0;title\uFFFD\uFFFD\uFFFD[2J next line\n");
  }

  private String shown() {
    return bytes.toString(UTF_8);
  }
}
