package dev.uplift.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rollout.RolloutWatcher;
import dev.uplift.cli.upgrade.UpgradeWatcher;
import dev.uplift.protocol.PrintableText;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A host says what it wants, and the terminal of the person who reads it obeys none of it.
class PrintedTextTest extends CommandScenario {
  /// Clears the screen, sets the clipboard, the title and the direction, and adds a line that looks like ours.
  private static final String EVIL =
      "\\u001b[2J\\u001b]52;c;cm0gLXJm\\u0007\\u001b]0;root\\u0007\\u009b31m\\u202egnp.exe"
          + "\\n08:00:00  shop  shopd 9.9: upgraded";

  private static final String FORGED_LINE = "08:00:00  shop  shopd 9.9: upgraded";

  private static final String UPGRADE =
      """
      {"id":"u-1","device":"shop","package":"shopd","version":"2","outcome":"rolled-back","started_at":"EVIL",
       "reason":{"code":"health-failed","message":"EVIL"},
       "hosts":[{"host":"till-1","progress":"rolled-back","version":"EVIL"}],
       "waiting":[{"reason":"person","host":"till-1","step":"upgrade","message":"EVIL"}],
       "timeline":[{"id":"c-1","host":"till-1","step":"upgrade","progress":"EVIL","published_at":"2026-11-22T08:00:00Z",
         "closed_at":"2026-11-22T08:00:01Z","outcome":{"result":"error","code":"x","message":"EVIL","log":"EVIL"}}]}\
      """
          .replace("EVIL", EVIL);

  private int upliftLine(String line) {
    return uplift(line.split(" ", -1));
  }

  private static void assertObeysNothing(String printed) {
    assertThat(printed.chars().filter(found -> found != '\n' && PrintableText.isControl(found))).isEmpty();
    // Within a log, which is indented, it is a line of the log.
    assertThat(printed.lines()).doesNotContain(FORGED_LINE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"upgrade show u-1", "upgrade list", "upgrade log u-1", "host list", "device list", "audit"})
  void noTextOfAHostIsObeyedByTheTerminalOfACommand(String line) {
    String host = "{\"host\":\"till-1\",\"device\":\"EVIL\",\"name\":\"EVIL\",\"detail\":\"EVIL\",\"log\":\"EVIL\"}";
    stub.answerByDefault(200, "{\"items\":[" + UPGRADE + "," + host.replace("EVIL", EVIL) + "]}")
        .answerAtPathEnd("/upgrades/u-1", 200, UPGRADE);

    assertThat(upliftLine(line)).as(err.toString()).isZero();

    assertThat(out.toString()).isNotBlank();
    assertObeysNothing(out.toString());
  }

  @Test
  void jsonKeepsTheContentAndEscapesWhatATerminalObeys() {
    stub.answerByDefault(200, UPGRADE);

    assertThat(upliftLine("upgrade show u-1 --json")).isZero();

    assertObeysNothing(out.toString());
    assertThat(RestClient.JSON.readTree(out.toString())).isEqualTo(RestClient.JSON.readTree(UPGRADE));
  }

  @Test
  void anErrorOfTheServerIsOneLine() {
    stub.answerByDefault(409, "{\"title\":\"Conflict\",\"detail\":\"EVIL\"}".replace("EVIL", EVIL));

    assertThat(upliftLine("upgrade pause u-1")).isEqualTo(1);

    assertObeysNothing(err.toString());
    assertThat(err.toString().lines()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWatchedUpgradePrintsOnlyLinesOfOurs(boolean redraws) {
    stub.answerByDefault(200, UPGRADE);

    assertObeysNothing(watchUpgrade(new Terminal(redraws, false, 40, 300)));
  }

  private String watchUpgrade(Terminal terminal) {
    var bytes = new ByteArrayOutputStream();
    try (var rest = new RestClient(stub.url(), "secret", "acme");
        var stream = new PrintStream(bytes, true, UTF_8)) {
      var _ = new UpgradeWatcher(rest, new Screen(stream, terminal)).awaitEnd(List.of("u-1"), Duration.ofSeconds(20));
    }
    return bytes.toString(UTF_8);
  }

  @Test
  void aWatchedRolloutPrintsOnlyLinesOfOurs() {
    String rollout =
        """
        {"id":"r-1","package":"shopd","version":"2","state":"ended","outcome":"EVIL","waves":[
          {"number":1,"title":"EVIL","state":"running","counts":{"devices":2}}]}\
        """
            .replace("EVIL", EVIL)
            .replace("\n", "");
    String decision =
        "{\"number\":7,\"decided_at\":\"2026-11-22T07:00:00Z\",\"decision\":\"pause\",\"message\":\"" + EVIL + "\"}";
    stub.answerByDefault(200, rollout)
        .answerAtPathEnd("/decisions", 200, "{\"items\":[" + decision + "]}")
        .answerAtPathEnd("/events", 200, "id: 9.ended\nevent: ended\ndata: " + rollout + "\n\n");
    var bytes = new ByteArrayOutputStream();
    try (var rest = new RestClient(stub.url(), "secret", "acme");
        var stream = new PrintStream(bytes, true, UTF_8)) {
      var _ = new RolloutWatcher(rest, new Screen(stream, Terminal.PLAIN), Duration.ZERO).awaitEnd("r-1");
    }

    assertThat(bytes.toString(UTF_8)).contains("pause by", "wave 1");
    assertObeysNothing(bytes.toString(UTF_8));
  }
}
