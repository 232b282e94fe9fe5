package dev.uplift.cli.rollout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.StubServer;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The lines for people about a rollout, from the responses of the server.
class RolloutEventLinesTest {
  private static final String RUNNING =
      """
      {"id": "north", "title": "1.5 north", "package": "os", "version": "1.5.0", "state": "running",
       "current_wave": 2, "wave_count": 3,
       "waiting_for": {"reason": "window", "message": "the window of d7 opens at 02:00"},
       "counts": {"devices": 25, "pending": 18, "in_work": 3, "succeeded": 3, "failed": 1},
       "waves": [
         {"number": 1, "title": "1 device", "state": "completed",
          "counts": {"devices": 1, "succeeded": 1}},
         {"number": 2, "title": "24 %", "state": "running",
          "counts": {"devices": 6, "in_work": 3, "succeeded": 2, "failed": 1}},
         {"number": 3, "title": "the rest", "state": "pending",
          "counts": {"devices": 18, "pending": 18}}]}
      """;
  private static final String ENDED =
      """
      {"id": "north", "title": "1.5 north", "package": "os", "version": "1.5.0", "state": "ended",
       "outcome": "partial", "current_wave": 3, "wave_count": 3,
       "counts": {"devices": 25, "succeeded": 24, "failed": 1},
       "waves": [
         {"number": 1, "title": "1 device", "state": "completed",
          "counts": {"devices": 1, "succeeded": 1}},
         {"number": 2, "title": "24 %", "state": "completed",
          "counts": {"devices": 6, "succeeded": 5, "failed": 1}},
         {"number": 3, "title": "the rest", "state": "completed",
          "counts": {"devices": 18, "succeeded": 18}}]}
      """;
  private static final String DECISIONS =
      """
      {"items": [{"number": 2, "decided_at": "2026-11-21T12:00:09Z", "wave": 2, "decision": "next-wave",
                  "actor": "uplift", "message": "1 of 1 succeeded"},
                 {"number": 1, "decided_at": "2026-11-21T12:00:01Z", "wave": 1, "decision": "start",
                  "actor": "uplift", "message": "room for 1"}]}
      """;

  private static final String NEXT =
      """
      {"number": 3, "decided_at": "2026-11-21T12:00:19Z", "wave": 3, "decision": "finish",
       "actor": "uplift", "message": "24 of 25 succeeded"}
      """;

  @Test
  void everyWaveHasABar() {
    var block = new RolloutProgressBlock(new Terminal(true, false, 24, 100));

    assertThat(block.lines(view(RUNNING)))
        .containsExactly(
            "north  os 1.5.0  running  4/25 done, 3 running, 1 failed",
            "    1  1 device  [████████████████████████]  completed  1/1 done",
            "    2  24 %      [████████████▒▒▒▒▒▒▒▒▒▒▒▒]  running  3/6 done, 3 running, 1 failed",
            "    3  the rest  [························]  pending  0/18 done",
            "  waiting: the window of d7 opens at 02:00");
    assertThat(new RolloutProgressBlock(new Terminal(true, false, 24, 40)).lines(view(RUNNING)))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(40));
  }

  @Test
  void oneOfThousandsInWorkIsSeenAndWhatIsNotDoneNeverLooksSo() {
    assertThat(RolloutProgressBlock.bar(new RolloutResponse.Counts(10_000, 0, 1, 0, 0, 0)))
        .isEqualTo("[▒" + "·".repeat(23) + "]");
    assertThat(RolloutProgressBlock.bar(new RolloutResponse.Counts(10_000, 9_999, 1, 0, 9_999, 0)))
        .isEqualTo("[" + "█".repeat(23) + "▒]");
    assertThat(RolloutProgressBlock.bar(new RolloutResponse.Counts(0, 0, 0, 0, 0, 0)))
        .isEqualTo("[" + "·".repeat(24) + "]");
  }

  @Test
  void devicesThatAreOnlyPreparedDoNotLookLikeRunningOnes() {
    assertThat(RolloutProgressBlock.bar(new RolloutResponse.Counts(24, 6, 2, 8, 6, 0)))
        .isEqualTo("[" + "█".repeat(6) + "▒▒" + ":".repeat(8) + "·".repeat(8) + "]");
    assertThat(RolloutProgressBlock.bar(new RolloutResponse.Counts(24, 0, 0, 24, 0, 0)))
        .isEqualTo("[" + ":".repeat(24) + "]");
  }

  @Test
  void withoutATerminalEachThingIsSaidOnce() {
    var lines = new RolloutEventLines();
    List<JsonNode> decided = RestClient.JSON.readTree(DECISIONS).path("items").valueStream().toList();

    assertThat(texts(lines.decisionLines(decided)))
        .containsExactly("start by uplift: room for 1", "next-wave by uplift: 1 of 1 succeeded");
    assertThat(lines.decisionLines(decided)).isEmpty();
    assertThat(texts(lines.linesSince(view(RUNNING))))
        .containsExactly(
            "wave 1 (1 device) completed: 1/1 done",
            "wave 2 (24 %) running: 3/6 done, 3 running, 1 failed",
            "north is running");
    assertThat(lines.linesSince(view(RUNNING))).isEmpty();
    assertThat(texts(lines.linesSince(view(ENDED))))
        .containsExactly(
            "wave 2 (24 %) completed: 6/6 done, 1 failed",
            "wave 3 (the rest) completed: 18/18 done", "north is partial");
  }

  @Test
  void whoHasPreparedIsNotInWork() {
    assertThat(new RolloutResponse.Counts(4, 0, 1, 3, 0, 0).summary()).isEqualTo("0/4 done, 1 running, 3 prepared");
  }

  @Test
  void whoWatchesSeesTheEnd() throws IOException {
    try (StubServer stubServer = new StubServer();
        RestClient restClient = new RestClient(stubServer.url(), "secret", "acme")) {
      // The connection breaks after the first event.
      stubServer
          .answers(200, DECISIONS)
          .answers(200, event("2.aa", "progress", RUNNING))
          .answers(200, ": keep-alive\n\n" + event("3", "decision", NEXT) + event("3.ended", "ended", ENDED))
          .answers(200, ENDED);
      var out = new ByteArrayOutputStream();
      var screen = new Screen(new PrintStream(out, true, UTF_8), Terminal.PLAIN);

      RolloutResponse ended = new RolloutWatcher(restClient, screen, Duration.ofMillis(1)).awaitEnd("north");

      assertThat(ended.outcome()).isEqualTo("partial");
      assertThat(ended.hasSucceeded()).isFalse();
      assertThat(texts(out.toString(UTF_8).lines().toList()))
          .containsExactly(
              "start by uplift: room for 1",
              "next-wave by uplift: 1 of 1 succeeded",
              "wave 1 (1 device) completed: 1/1 done",
              "wave 2 (24 %) running: 3/6 done, 3 running, 1 failed",
              "north is running",
              "finish by uplift: 24 of 25 succeeded",
              "wave 2 (24 %) completed: 6/6 done, 1 failed",
              "wave 3 (the rest) completed: 18/18 done",
              "north is partial");
      String north = "GET /v1/tenants/acme/rollouts/north";
      assertThat(stubServer.requestLines())
          .containsExactly(north + "/decisions?limit=20", north + "/events", north + "/events", north);
      assertThat(stubServer.headers("Last-Event-ID")).containsExactly("2", "2.aa");
    }
  }

  private static String event(String id, String name, String json) {
    return "id: %s\nevent: %s\ndata: %s\n\n".formatted(id, name, RestClient.JSON.readTree(json));
  }

  /// Without the time of day.
  private static List<String> texts(List<String> lines) {
    return lines.stream().map(line -> line.substring("00:00:00Z  ".length())).toList();
  }

  private static RolloutResponse view(String json) {
    return RolloutResponse.of(RestClient.JSON.readTree(json));
  }
}
