package dev.uplift.agent.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import org.junit.jupiter.api.Test;

final class PlainLoggerTest {
  @Test
  void theRuntimeTakesOurs() {
    assertThat(System.getLogger("any")).isInstanceOf(PlainLogger.class);
    assertThat(System.LoggerFinder.getLoggerFinder()).isInstanceOf(PlainLoggerFinder.class);
  }

  @Test
  void aLineHasTimeLevelAndText() {
    assertThat(written(Level.WARNING, "the server''s {1} is {0}, {2} {}", "late", 7))
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z WARNING the server's 7 is late," + " \\{2} \\{}\n");
  }

  @Test
  void disabledLevelsAreNotLogged() {
    assertThat(written(Level.DEBUG, "a")).isEmpty();
    assertThat(written(Level.INFO, "a")).isNotEmpty();
  }

  @Test
  void aTextWithoutValuesStaysAsItIs() {
    assertThat(written(Level.INFO, "it's {0}")).endsWith(" INFO it's {0}\n");
  }

  @Test
  void whatWasThrownStandsBelow() {
    String text = to(() -> new PlainLogger("any").log(Level.ERROR, "broken", new IllegalStateException("why")));

    assertThat(text).contains(" ERROR broken\njava.lang.IllegalStateException: why\n\tat ");
  }

  private static String written(Level level, String format, Object... values) {
    return to(() -> new PlainLogger("any").log(level, format, values));
  }

  private static String to(Runnable work) {
    PrintStream before = System.err;
    var out = new ByteArrayOutputStream();
    System.setErr(new PrintStream(out, true, UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return out.toString(UTF_8);
  }
}
