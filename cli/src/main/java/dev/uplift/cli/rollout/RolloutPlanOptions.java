package dev.uplift.cli.rollout;

import dev.uplift.cli.option.JsonFile;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.window.WindowOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a rollout is to be: a file with all of it, options, or both, of which options win. What
/// nobody says the server decides.
final class RolloutPlanOptions {
  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "The whole plan as JSON, as the REST API has it.")
  @Nullable Path plan;

  @Option(names = "--package", paramLabel = "NAME")
  @Nullable String name;

  @Option(names = "--version", paramLabel = "VERSION")
  @Nullable String version;

  @Option(
      names = "--select",
      paramLabel = "EXPRESSION",
      description = "Which devices: labels.region == 'north' && hosts > 1.")
  @Nullable String selection;

  @Option(names = "--everything", description = "Confirms that these may be all devices.")
  boolean everything;

  @Option(
      names = "--wave",
      paramLabel = "WAVE",
      description = {
        "In their order; may be repeated: 1, 10%%, per:LABEL, rest, or an expression; and perhaps",
        "',soak=SECONDS', ',gate=approval', ',not-before=TIME', ',parallel=N', ',spread=LABEL'.",
        "Default: 1, 10%%, rest."
      })
  List<String> waves = new ArrayList<>();

  @Option(
      names = "--soak",
      paramLabel = "SECONDS",
      description = "For how long devices have to stay well, of each wave that does not say.")
  @Nullable Long soakSeconds;

  @Mixin RolloutRuleOptions rules = new RolloutRuleOptions();
  @Mixin RolloutWindowOptions window = new RolloutWindowOptions();

  @Mixin WindowOptions windows = new WindowOptions();

  @Option(names = "--start-at", paramLabel = "TIME", description = "Such as 2026-12-24T18:00:00Z.")
  @Nullable String startAt;

  @Option(
      names = "--not-after",
      paramLabel = "TIME",
      description = "No device is begun past this time.")
  @Nullable String notAfter;

  @Option(names = "--late-joiners", description = "Takes in who comes to match later.")
  boolean lateJoiners;

  @Option(names = "--priority", paramLabel = "N", description = "The higher one has a device.")
  @Nullable Integer priority;

  @Option(names = "--on-busy", paramLabel = "WORD", description = "wait, the default, or skip.")
  @Nullable String onBusy;

  @Option(
      names = "--reach",
      paramLabel = "REACH",
      description = "What a failure takes back on a device: none, host, or device (the default).")
  @Nullable String reach;

  @Option(
      names = "--host-soak",
      paramLabel = "SECONDS",
      description = "For how long a host has to stay well before the next one of its device.")
  @Nullable Long hostSoak;

  @Option(names = "--allow-downgrade", description = "Also where something newer runs.")
  boolean allowDowngrade;

  @Option(names = "--title", paramLabel = "TEXT")
  @Nullable String title;

  ObjectNode toJson() {
    return addOptions(
        plan == null ? RestClient.JSON.createObjectNode() : JsonFile.readObject(plan));
  }

  /// What was said here, each field whole: where a part of one was said, the rest of it is as
  /// `before` has it.
  ObjectNode toPatch(JsonNode before) {
    ObjectNode said = toJson();
    for (String field : List.of("limits", "thresholds", "retries", "window")) {
      if (said.has(field) && before.path(field) instanceof ObjectNode old) {
        ObjectNode merged = old.deepCopy();
        merged.setAll((ObjectNode) said.path(field));
        said.set(field, merged);
      }
    }
    return said;
  }

  private ObjectNode addOptions(ObjectNode body) {
    put(body, "title", title);
    put(body, "package", name);
    put(body, "version", version);
    put(body, "selection", selection);
    put(body, "start_at", startAt);
    put(body, "not_after", notAfter);
    put(body, "on_busy", onBusy);
    put(body, "reach", reach);
    putFlag(body, "everything", everything);
    putFlag(body, "late_joiners", lateJoiners);
    putFlag(body, "allow_downgrade", allowDowngrade);
    if (!waves.isEmpty()) {
      var list = body.putArray("waves");
      waves.forEach(text -> list.add(waveJson(text)));
    }
    rules.addTo(body);
    window.addTo(body);
    if (priority != null) {
      body.put("priority", priority);
    }
    if (hostSoak != null) {
      body.put("host_soak_s", hostSoak);
    }
    windows.toJson().ifPresent(list -> body.set("windows", list));
    return body;
  }

  private ObjectNode waveJson(String text) {
    ObjectNode wave = WaveParser.parse(text);
    if (soakSeconds != null && !wave.has("soak_s")) {
      wave.put("soak_s", soakSeconds);
    }
    return wave;
  }

  private static void put(ObjectNode body, String field, @Nullable String text) {
    if (text != null) {
      body.put(field, text);
    }
  }

  private static void putFlag(ObjectNode body, String field, boolean set) {
    if (set) {
      body.put(field, true);
    }
  }
}
