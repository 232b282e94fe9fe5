package dev.uplift.cli.rollout;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.option.DeviceSelectionOptions;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.StepTimeoutOption;
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

/// The plan of a rollout: a file, options, or both. Options override the file; the server chooses defaults for all
/// others.
final class RolloutPlanOptions {
  @Option(names = "--plan", paramLabel = "FILE", description = "The whole plan as JSON, in the format of the REST API.")
  @Nullable Path plan;

  @Option(names = "--package", paramLabel = "NAME")
  @Nullable String name;

  @Option(names = "--version", paramLabel = "VERSION")
  @Nullable String version;

  @Mixin DeviceSelectionOptions devices = new DeviceSelectionOptions();

  @Option(
      names = "--wave",
      paramLabel = "WAVE",
      description = {
        "A wave; may be repeated, in their order: 1, 10%%, per:LABEL, rest, or an expression;" + " optionally with",
        "',soak=SECONDS', ',gate=approval', ',not-before=TIME', ',max-parallel=N'," + " ',spread=LABEL'.",
        "Default: 1, 10%%, rest."
      })
  List<String> waves = new ArrayList<>();

  @Option(
      names = "--soak",
      paramLabel = "SECONDS",
      description = "How long devices have to stay healthy after a wave, unless the wave has its own soak.")
  @Nullable Long soakSeconds;

  @Mixin RolloutRuleOptions rules = new RolloutRuleOptions();

  @Option(
      names = "--ignore-windows",
      paramLabel = "REASON",
      description = "Ignore maintenance windows; the reason is recorded.")
  @Nullable String ignoreReason;

  @Option(
      names = "--required-time",
      paramLabel = "SECONDS",
      description = "Time that must be left of a window for a device to start; default: 1800.")
  @Nullable Long requiredSeconds;

  @Option(
      names = "--on-window-close",
      paramLabel = "ACTION",
      description = "If a window closes during an upgrade: finish, stop-before-next-host, roll-back.")
  @Nullable String onClose;

  @Option(
      names = "--prepare-ahead",
      paramLabel = "SECONDS",
      description = "How long before its window a device may prepare.")
  @Nullable Long prepareAhead;

  @Mixin WindowOptions windows = new WindowOptions();

  @Option(names = "--start-at", paramLabel = "TIME", description = "Start at this time, such as 2026-12-24T18:00:00Z.")
  @Nullable String startAt;

  @Option(names = "--not-after", paramLabel = "TIME", description = "Start no device after this time.")
  @Nullable String notAfter;

  @Option(names = "--late-joiners", description = "Add devices that match the selection later.")
  boolean lateJoiners;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "The rollout with the higher priority gets a device first.")
  @Nullable Integer priority;

  @Option(names = "--on-busy", paramLabel = "ACTION", description = "If a device is busy: wait (the default) or skip.")
  @Nullable String onBusy;

  @Option(
      names = "--rollback-scope",
      paramLabel = "SCOPE",
      description = "What a failure rolls back on a device: none, host, or device (the default).")
  @Nullable String rollbackScope;

  @Option(
      names = "--host-soak",
      paramLabel = "SECONDS",
      description = "How long a host has to stay healthy before the next host of its device is upgraded.")
  @Nullable Long hostSoak;

  @Option(names = "--allow-downgrade", description = "Also if a newer version runs.")
  boolean allowDowngrade;

  @Mixin StepTimeoutOption stepTimeouts = new StepTimeoutOption();

  @Option(names = "--title", paramLabel = "TEXT")
  @Nullable String title;

  ObjectNode toJson() {
    return addOptions(plan == null ? RestClient.JSON.createObjectNode() : UserFile.readObject(plan));
  }

  /// Returns the given fields, each of them whole: parts of a field that were not given are taken from `before`.
  ObjectNode toPatch(JsonNode before) {
    ObjectNode patch = toJson();
    for (String field : List.of("limits", "thresholds", "retries", "window", "step_timeouts")) {
      if (patch.has(field) && before.path(field) instanceof ObjectNode old) {
        ObjectNode merged = old.deepCopy();
        merged.setAll((ObjectNode) patch.path(field));
        patch.set(field, merged);
      }
    }
    return patch;
  }

  private ObjectNode addOptions(ObjectNode body) {
    RequestFields options = new RequestFields(body).put("title", title).put("package", name).put("version", version);
    devices.addTo(options);
    options
        .put("start_at", startAt)
        .put("not_after", notAfter)
        .put("on_busy", onBusy)
        .put("rollback_scope", rollbackScope)
        .put("late_joiners", lateJoiners)
        .put("allow_downgrade", allowDowngrade)
        .put("waves", waves.isEmpty() ? null : waves.stream().map(this::waveJson).toList());
    rules.addTo(body);
    stepTimeouts.addTo(body);
    options
        .put("window", "mode", ignoreReason == null ? null : "ignore")
        .put("window", "reason", ignoreReason)
        .put("window", "required_time_seconds", requiredSeconds)
        .put("window", "on_close", onClose)
        .put("window", "prepare_ahead_seconds", prepareAhead);
    options.put("priority", priority).put("host_soak_seconds", hostSoak);
    return options.put("windows", windows.toJson().orElse(null)).json();
  }

  private ObjectNode waveJson(String text) {
    ObjectNode wave = WaveParser.parse(text);
    if (soakSeconds != null && !wave.has("soak_seconds")) {
      wave.put("soak_seconds", soakSeconds);
    }
    return wave;
  }
}
