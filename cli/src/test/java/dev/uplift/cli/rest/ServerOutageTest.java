package dev.uplift.cli.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rollout.RolloutWatcher;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.upgrade.UpgradeWatcher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A command that watches says when no server responds, since when, and that it goes on by itself.
class ServerOutageTest {
  private static final String NOTICE = "no server responds since ";

  private static String print(StubServer stub, boolean redraws, BiConsumer<RestClient, Screen> watch) {
    var bytes = new ByteArrayOutputStream();
    try (var rest = new RestClient(stub.url(), "secret", "acme");
        var out = new PrintStream(bytes, true, UTF_8)) {
      watch.accept(rest, new Screen(out, new Terminal(redraws, false, 40, 200)));
    }
    return bytes.toString(UTF_8);
  }

  private static void assertTold(String printed, boolean redraws) {
    // A block is drawn again below a line that stays.
    assertThat(count(printed, NOTICE)).isBetween(1, redraws ? 2 : 1);
    assertThat(count(printed, "Z  a server responds again")).isEqualTo(1);
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoWatchesAnUpgradeIsTold(boolean redraws) throws IOException {
    String running =
        "{\"id\":\"u-1\",\"device\":\"shop\",\"package\":\"till\",\"version\":\"2\",\"phase\":\"upgrade\"}";
    try (var stub = new StubServer()) {
      stub.answers(200, running)
          .hangsUp()
          .hangsUp()
          .answerByDefault(200, running.replace("}", ",\"outcome\":\"upgraded\"}"));

      String printed =
          print(
              stub,
              redraws,
              (rest, screen) -> {
                var _ = new UpgradeWatcher(rest, screen).awaitEnd(List.of("u-1"), Duration.ofSeconds(30));
              });

      assertTold(printed, redraws);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoWatchesARolloutIsTold(boolean redraws) throws IOException {
    String rollout = "{\"id\":\"r-1\",\"package\":\"till\",\"version\":\"2\",\"state\":\"running\"}";
    try (var stub = new StubServer()) {
      stub.answers(200, "{\"items\":[]}")
          .answers(200, "id: 1\nevent: progress\ndata: " + rollout + "\n\n")
          .hangsUp()
          .hangsUp()
          .answerByDefault(200, rollout.replace("running", "ended"))
          .answerAtPathEnd(
              "/events", 200, "id: 2\nevent: ended\ndata: " + rollout.replace("running", "ended") + "\n\n");

      String printed =
          print(
              stub,
              redraws,
              (rest, screen) -> {
                var _ = new RolloutWatcher(rest, screen, Duration.ZERO).awaitEnd("r-1");
              });

      assertTold(printed, redraws);
      assertThat(count(printed, "r-1")).isGreaterThan(1);
    }
  }
}
