package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An invalid command line is answered with what helps.
class UsageErrorsTest {
  private final StringWriter err = new StringWriter();

  private String run(String line) {
    int code = Main.commandLine().setErr(new PrintWriter(err, true)).execute(line.split(" ", -1));
    assertThat(code).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    return err.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "'upgrade strat shop', did you mean start?",
    "'upgarde list', did you mean upgrade?",
    "'device put shop --hots x', did you mean --host?",
    "'rollout list --stat=x', did you mean --state?",
    "'status', did you mean health or doctor or why?",
    "'logs', did you mean upgrade log?",
  })
  void aMisspeltWordIsAnsweredWithTheOneThatWasMeant(String line, String suggestion) {
    assertThat(run(line)).contains(suggestion);
  }

  @Test
  void aWordThatIsLikeNoneHasNoSuggestion() {
    assertThat(run("upgrade list --zzzzzz=1")).contains("--zzzzzz").doesNotContain("did you mean");
  }

  @Test
  void everythingThatIsMissingIsSaidAtOnce() {
    assertThat(run("upgrade start")).contains("it needs", "DEVICE", "--package=NAME", "--version=VERSION");
  }
}
