package dev.uplift.cli.rollout;

import dev.uplift.cli.rollout.RolloutView.WaveView;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A line for each thing that happened to a rollout since it was last looked at. Nothing is said
/// twice, and progress at most ten times per wave.
final class RolloutLines {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int TENTHS = 10;

  private final Map<Integer, String> waves = new HashMap<>();
  private String state = "";
  private long decisions;

  List<String> since(RolloutView rollout) {
    List<String> lines = new ArrayList<>();
    for (WaveView wave : rollout.waves()) {
      wave(wave).forEach(lines::add);
    }
    if (!rollout.stands().equals(state)) {
      state = rollout.stands();
      lines.add(now() + "  " + rollout.id() + " is " + state);
    }
    return lines;
  }

  /// @param decided the newest decisions, newest first
  List<String> decisions(List<JsonNode> decided) {
    List<String> lines = new ArrayList<>();
    for (JsonNode decision : decided.reversed()) {
      long number = decision.path("number").asLong(0);
      if (number > decisions) {
        decisions = number;
        lines.add(line(decision));
      }
    }
    return lines;
  }

  private List<String> wave(WaveView wave) {
    int tenth =
        wave.counts().devices() == 0 ? 0 : wave.counts().done() * TENTHS / wave.counts().devices();
    String now = "%s %d %d".formatted(wave.state(), tenth, wave.counts().failed());
    if (wave.state().equals("pending") || now.equals(waves.put(wave.number(), now))) {
      return List.of();
    }
    return List.of(
        "%s  wave %d (%s) %s: %s"
            .formatted(now(), wave.number(), wave.title(), wave.state(), wave.counts().inWords()));
  }

  /// `02:14:03 next-wave by uplift: …`.
  static String line(JsonNode decision) {
    return "%s  %s by %s: %s"
        .formatted(
            clock(Instant.parse(decision.path("at").asString(Instant.EPOCH.toString()))),
            decision.path("decision").asString(""),
            decision.path("by").asString(""),
            decision.path("sentence").asString(""));
  }

  private static String now() {
    return clock(Instant.now());
  }

  private static String clock(Instant at) {
    return CLOCK.format(LocalTime.ofInstant(at, ZoneId.systemDefault()));
  }
}
