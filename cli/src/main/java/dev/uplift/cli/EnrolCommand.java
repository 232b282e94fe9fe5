package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Tokens with which hosts join.
@Command(
    name = "enroll",
    sortOptions = false,
    description = {
      "Makes a token, good once and for a short time, with which a host joins:",
      "  uplift-agent join TOKEN",
      "With --csv, or with --count, many at once; devices that are missing are made then."
    })
final class EnrolCommand implements Callable<Integer> {
  private static final int MOST = 1000;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();
  @Mixin private DryRun dryRun = new DryRun();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "",
      description = "With --count: a pattern; the number stands for a row of #.")
  private String device = "";

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "",
      description = "With --count: a pattern as that of the device.")
  private String host = "";

  @Option(names = "--count", paramLabel = "N", description = "So many devices of one host.")
  private int count;

  @Option(names = "--first", paramLabel = "N", defaultValue = "1", description = "Of --count.")
  private int first = 1;

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "With --count: of the devices that are made; may be repeated.")
  private @Nullable Map<String, String> labels;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "",
      description = "Of devices that are made; of a new one: UTC.")
  private String zone = "";

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Lines `device,host[,label=value...]`.")
  private @Nullable Path csv;

  @Option(
      names = "--valid",
      paramLabel = "DURATION",
      defaultValue = "1h",
      description = "Such as 30m, 1h, 7d; default: ${DEFAULT-VALUE}.")
  private String valid = "1h";

  @Override
  public Integer call() {
    ObjectNode body = Rest.JSON.createObjectNode().put("valid_s", seconds(valid));
    try (Rest rest = connection.open()) {
      if (csv == null && count == 0) {
        String path =
            "devices/%s/hosts/%s/enrolments"
                .formatted(
                    Rest.segment(needed(device, "--device")), Rest.segment(needed(host, "--host")));
        output.show(
            rest.send("POST", path + dryRun.query(), body),
            found -> found.path("token").asString(""));
        return 0;
      }
      List<EnrolPlan> hosts = csv == null ? plan() : read(csv);
      ArrayNode made = Rest.JSON.createArrayNode();
      for (int from = 0; from < hosts.size(); from += MOST) {
        ArrayNode list = Rest.JSON.createArrayNode();
        hosts
            .subList(from, Math.min(from + MOST, hosts.size()))
            .forEach(each -> list.add(each.json(zone)));
        body.set("hosts", list);
        made.addAll(
            (ArrayNode) rest.send("POST", "enrolments" + dryRun.query(), body).path("items"));
      }
      output.show(made, EnrolCommand::lines);
    }
    return 0;
  }

  private List<EnrolPlan> plan() {
    return EnrolPlan.counted(
        needed(device, "--device"),
        needed(host, "--host"),
        first,
        count,
        labels == null ? Map.of() : labels);
  }

  private static List<EnrolPlan> read(Path file) {
    try {
      return EnrolPlan.lines(Files.readAllLines(file));
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.USAGE, file + " cannot be read (" + e + ")", e);
    }
  }

  private static String needed(String value, String name) {
    if (value.isEmpty()) {
      throw CommandFailed.usage("Missing required option: '" + name + "'");
    }
    return value;
  }

  static long seconds(String text) {
    try {
      String iso = text.endsWith("d") ? "P" + text : "PT" + text;
      long seconds = Duration.parse(iso).toSeconds();
      if (seconds > 0) {
        return seconds;
      }
    } catch (DateTimeException _) {
      // Said below.
    }
    throw CommandFailed.usage("--valid: expected a duration such as 30m, 1h or 7d");
  }

  private static String lines(JsonNode made) {
    Table table = new Table("DEVICE", "HOST", "TOKEN");
    for (JsonNode each : made) {
      table.row(
          each.path("device").asString(""),
          each.path("host").asString(""),
          each.path("token").asString(""));
    }
    return table.toString();
  }
}
