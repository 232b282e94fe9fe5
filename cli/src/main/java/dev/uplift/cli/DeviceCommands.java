package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is upgraded: sites of 1 to 64 hosts.
@Command(
    name = "device",
    synopsisSubcommandLabel = "COMMAND",
    description = "Adds devices, changes them, shows them, keeps them from being upgraded.")
final class DeviceCommands {
  @Command(
      name = "put",
      sortOptions = false,
      description = "Adds a device, or makes it what is said here.")
  int put(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(
              names = "--host",
              required = true,
              paramLabel = "HOST",
              description = "In the order in which they are to be upgraded; may be repeated.")
          List<String> hosts,
      @Option(names = "--label", paramLabel = "NAME=VALUE", description = "May be repeated.")
          @Nullable Map<String, String> labels,
      @Option(
              names = "--zone",
              defaultValue = "UTC",
              paramLabel = "ZONE",
              description = "IANA time zone of the site; default: ${DEFAULT-VALUE}.")
          String zone,
      @Mixin DryRun dryRun) {
    ObjectNode body = Rest.JSON.createObjectNode();
    hosts.forEach(body.putArray("hosts")::add);
    ObjectNode named = body.putObject("labels");
    new TreeMap<>(labels == null ? Map.of() : labels).forEach(named::put);
    body.put("zone", zone);
    try (Rest rest = connection.open()) {
      output.show(rest.send("PUT", path(device) + dryRun.query(), body), DeviceCommands::lines);
    }
    return 0;
  }

  @Command(name = "list", description = "All devices.")
  int list(
      @Mixin Connection connection,
      @Mixin Output output,
      @Option(
              names = "--label",
              paramLabel = "NAME=VALUE",
              description = "Only those that have it.")
          @Nullable Map<String, String> labels) {
    String selector = labels == null ? "" : labels(labels);
    try (Rest rest = connection.open()) {
      output.show(rest.all("devices", Map.of("labels", selector)), DeviceCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "One device.")
  int show(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(path(device)), DeviceCommands::lines);
    }
    return 0;
  }

  @Command(
      name = "windows",
      description = "When a device may be touched: the next openings, local and UTC.")
  int windows(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(
              names = "--next",
              defaultValue = "3",
              paramLabel = "COUNT",
              description = "How many; default: ${DEFAULT-VALUE}.")
          int next) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(path(device) + "/windows?next=" + next), DeviceCommands::openings);
    }
    return 0;
  }

  @Command(name = "hold", description = "Keeps a device from being upgraded.")
  int hold(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(names = "--reason", required = true, paramLabel = "TEXT") String reason,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "Such as 2026-12-24T18:00:00Z; default: until released.")
          @Nullable String until) {
    ObjectNode body = Rest.JSON.createObjectNode().put("reason", reason);
    if (until != null) {
      body.put("until", until);
    }
    try (Rest rest = connection.open()) {
      output.show(rest.send("POST", path(device) + "/hold", body), DeviceCommands::lines);
    }
    return 0;
  }

  @Command(name = "release", description = "Ends a hold.")
  int release(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device) {
    try (Rest rest = connection.open()) {
      output.show(rest.delete(path(device) + "/hold"), DeviceCommands::lines);
    }
    return 0;
  }

  @Command(name = "delete", description = "Forgets a device.")
  int delete(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin DryRun dryRun) {
    try (Rest rest = connection.open()) {
      output.show(rest.delete(path(device) + dryRun.query()), _ -> device + " is gone");
    }
    return 0;
  }

  private static String path(String device) {
    return "devices/" + Rest.segment(device);
  }

  private static String table(JsonNode devices) {
    Table table = new Table("DEVICE", "HOSTS", "ZONE", "LABELS", "HELD");
    for (JsonNode device : devices) {
      table.row(
          name(device),
          hosts(device),
          device.path("zone").asString(""),
          labels(device.path("labels")),
          device.path("hold").path("reason").asString(""));
    }
    return table.toString();
  }

  private static String lines(JsonNode device) {
    Table table = new Table("DEVICE", name(device));
    table.row("hosts", hosts(device));
    table.row("zone", device.path("zone").asString(""));
    table.row("labels", labels(device.path("labels")));
    table.row("held", device.path("hold").path("reason").asString(""));
    return table.toString();
  }

  private static String openings(JsonNode told) {
    Table table = new Table("OPENS", "CLOSES", "OPENS (UTC)", "CLOSES (UTC)");
    for (JsonNode opening : told.path("next")) {
      table.row(
          opening.path("local_opens").asString(""),
          opening.path("local_closes").asString(""),
          opening.path("opens").asString(""),
          opening.path("closes").asString(""));
    }
    return told.path("text").asString("") + "\n\n" + table;
  }

  private static String name(JsonNode device) {
    return device.path("device").asString(device.path("name").asString(""));
  }

  private static String hosts(JsonNode device) {
    return device
        .path("hosts")
        .valueStream()
        .map(host -> host.isObject() ? host.path("host").asString("") : host.asString())
        .collect(Collectors.joining(","));
  }

  private static String labels(JsonNode labels) {
    Map<String, String> texts = new TreeMap<>();
    labels.properties().forEach(label -> texts.put(label.getKey(), label.getValue().asString("")));
    return labels(texts);
  }

  private static String labels(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> label.getKey() + "=" + label.getValue())
        .collect(Collectors.joining(","));
  }
}
