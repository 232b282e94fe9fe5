package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a rollout is to be: a file with all of it, options, or both, of which options win. What
/// nobody says the server decides.
final class RolloutWishes {
  private static final int ID_CHARS = 12;

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
      paramLabel = "SIZE",
      description = {
        "In their order; may be repeated: 1, 10%%, per:LABEL, rest, or an expression.",
        "Default: 1, 10%%, rest."
      })
  List<String> waves = new ArrayList<>();

  @Option(
      names = "--soak",
      paramLabel = "SECONDS",
      description = "For how long the devices of each of the waves have to stay well.")
  @Nullable Long soakSeconds;

  @Option(names = "--max-parallel", paramLabel = "DEVICES")
  @Nullable Integer maxParallel;

  @Option(
      names = "--failures",
      paramLabel = "DEVICES",
      description = "Pauses at so many failures; default: 2.")
  @Nullable Integer failures;

  @Option(
      names = "--force",
      paramLabel = "REASON",
      description = "Ignores maintenance windows; the reason is kept.")
  @Nullable String force;

  @Option(names = "--start-at", paramLabel = "TIME", description = "Such as 2026-12-24T18:00:00Z.")
  @Nullable String startAt;

  @Option(
      names = "--not-after",
      paramLabel = "TIME",
      description = "No device is begun past this time.")
  @Nullable String notAfter;

  @Option(names = "--title", paramLabel = "TEXT")
  @Nullable String title;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "The rollout's id: the same once more is the same rollout.")
  @Nullable String id;

  /// The id that was wished for, or a new one.
  String id() {
    return id == null
        ? "r" + UUID.randomUUID().toString().replace("-", "").substring(0, ID_CHARS)
        : id;
  }

  ObjectNode body() {
    ObjectNode body = plan == null ? Rest.JSON.createObjectNode() : read(plan);
    put(body, "title", title);
    put(body, "package", name);
    put(body, "version", version);
    put(body, "selection", selection);
    put(body, "start_at", startAt);
    put(body, "not_after", notAfter);
    if (everything) {
      body.put("everything", true);
    }
    if (!waves.isEmpty()) {
      var list = body.putArray("waves");
      waves.forEach(size -> list.add(wave(size)));
    }
    if (maxParallel != null) {
      body.withObjectProperty("limits").put("max_parallel", maxParallel);
    }
    if (failures != null) {
      body.withObjectProperty("thresholds").put("failures", failures);
    }
    if (force != null) {
      body.withObjectProperty("window").put("rule", "force").put("reason", force);
    }
    return body;
  }

  private ObjectNode wave(String size) {
    ObjectNode wave = Rest.JSON.createObjectNode();
    if (size.equals("rest")) {
      wave.put("rest", true);
    } else if (size.matches("[0-9]{1,9}")) {
      wave.put("count", Integer.parseInt(size));
    } else if (size.matches("[0-9]{1,9}%")) {
      wave.put("percent", Integer.parseInt(size, 0, size.length() - 1, 10));
    } else if (size.startsWith("per:")) {
      wave.put("per_label", size.substring("per:".length()));
    } else {
      wave.put("expression", size);
    }
    if (soakSeconds != null) {
      wave.put("soak_s", soakSeconds);
    }
    return wave;
  }

  private static void put(ObjectNode body, String field, @Nullable String value) {
    if (value != null) {
      body.put(field, value);
    }
  }

  private static ObjectNode read(Path file) {
    try {
      JsonNode json = Rest.JSON.readTree(Files.readAllBytes(file));
      if (json instanceof ObjectNode object) {
        return object;
      }
      throw CommandFailed.usage(file + ": expected a JSON object");
    } catch (IOException | JacksonException e) {
      throw new CommandFailed(
          CommandFailed.USAGE, "plan " + file + " cannot be read (" + e.getMessage() + ")", e);
    }
  }
}
