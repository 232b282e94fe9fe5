package dev.uplift.cli.rollout;

import dev.uplift.cli.rollout.RolloutResponse.Wave;
import dev.uplift.cli.text.PrintableJson;
import dev.uplift.cli.text.TextFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Formats a line for each event of a rollout since the previous call. Each event is printed once, and progress at most
/// ten times per wave.
final class RolloutEventLines {
  private static final int TENTHS = 10;

  private final Map<Integer, String> waves = new HashMap<>();
  private String state = "";
  private long lastDecision;

  List<String> linesSince(RolloutResponse rollout) {
    List<String> lines = new ArrayList<>();
    for (Wave wave : rollout.waves()) {
      waveLines(wave).forEach(lines::add);
    }
    if (!rollout.stateOrOutcome().equals(state)) {
      state = rollout.stateOrOutcome();
      lines.add(now() + "  " + rollout.id() + " is " + state);
    }
    return lines;
  }

  /// @param decided the newest decisions, newest first
  List<String> decisionLines(List<JsonNode> decided) {
    List<String> lines = new ArrayList<>();
    for (JsonNode decision : decided.reversed()) {
      long number = decision.path("number").asLong(0);
      if (number > lastDecision) {
        lastDecision = number;
        lines.add(decisionLine(PrintableJson.of(decision)));
      }
    }
    return lines;
  }

  private List<String> waveLines(Wave wave) {
    int tenth = wave.counts().devices() == 0 ? 0 : wave.counts().finished() * TENTHS / wave.counts().devices();
    String now = "%s %d %d".formatted(wave.state(), tenth, wave.counts().failed());
    if (wave.state().equals("pending") || now.equals(waves.put(wave.number(), now))) {
      return List.of();
    }
    return List.of(
        "%s  wave %d (%s) %s: %s".formatted(now(), wave.number(), wave.title(), wave.state(), wave.counts().summary()));
  }

  /// `02:14:03Z next-wave by uplift: …`.
  static String decisionLine(JsonNode decision) {
    return "%s  %s by %s: %s"
        .formatted(
            timeOfDay(Instant.parse(decision.path("decided_at").asString(Instant.EPOCH.toString()))),
            decision.path("decision").asString(""),
            decision.path("actor").asString(""),
            decision.path("message").asString(""));
  }

  private static String now() {
    return timeOfDay(Instant.now());
  }

  private static String timeOfDay(Instant at) {
    return TextFormat.timeOfDay(at);
  }
}
