package dev.uplift.cli.device;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.window.WindowOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// Formats devices as tables.
final class DeviceFormatter {
  static final JsonTable TABLE =
      new JsonTable()
          .column("DEVICE", DeviceFormatter::name)
          .column("HOSTS", DeviceFormatter::hosts)
          .column("ZONE", "zone")
          .column("LABELS", device -> labels(device.path("labels")))
          .column("HELD", "/hold/reason");

  private static final JsonTable WINDOW_OPENINGS =
      new JsonTable()
          .column("OPENS", "local_opens_at")
          .column("CLOSES", "local_closes_at")
          .column("OPENS (UTC)", "opens_at")
          .column("CLOSES (UTC)", "closes_at");

  private static final JsonTable VERSIONS =
      new JsonTable()
          .column("VERSION", count -> count.path("version").asString("unknown"))
          .column("DEVICES", "devices")
          .column("HOSTS", "hosts");

  private DeviceFormatter() {}

  static String details(JsonNode device) {
    Table table = new Table("DEVICE", name(device));
    table.addRow("hosts", hosts(device));
    table.addRow("zone", device.path("zone").asString(""));
    table.addRow("labels", labels(device.path("labels")));
    table.addRow("windows", WindowOptions.describe(device.path("windows")));
    table.addRow("held", device.path("hold").path("reason").asString(""));
    table.addRow("pinned", pins(device.path("pins")));
    table.addRow("version", device.path("version").asString(""));
    return table.toString();
  }

  private static String pins(JsonNode pins) {
    return pins.valueStream()
        .map(pin ->
            "%s: %s (%s)"
                .formatted(
                    pin.path("package").asString(""),
                    pin.path("version").asString("held"),
                    pin.path("reason").asString("")))
        .collect(Collectors.joining(", "));
  }

  static String windowOpenings(JsonNode windows) {
    String openings = WINDOW_OPENINGS.apply(windows.path("next_openings"));
    return windows.path("message").asString("") + "\n\n" + openings;
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

  static String labels(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> label.getKey() + "=" + label.getValue())
        .collect(Collectors.joining(","));
  }

  static String versions(JsonNode counted) {
    ArrayNode rows = RestClient.JSON.createArrayNode();
    counted.path("versions").forEach(rows::add);
    return VERSIONS.apply(rows.add(counted.path("unknown")));
  }

  /// Formats a row for each day, with a column for each version that ran on one of them.
  static String versionHistory(JsonNode history) {
    List<String> versions =
        history
            .path("days")
            .valueStream()
            .flatMap(day -> day.path("versions").valueStream())
            .map(count -> count.path("version").asString(""))
            .distinct()
            .sorted()
            .toList();
    var table = new Table(Stream.concat(Stream.of("AT"), versions.stream()).toArray(String[]::new));
    history.path("days").forEach(day -> table.addRow(dayCells(day, versions)));
    return table.toString();
  }

  private static String[] dayCells(JsonNode day, List<String> versions) {
    Map<String, String> hosts = new TreeMap<>();
    day.path("versions")
        .forEach(count -> hosts.put(count.path("version").asString(""), count.path("hosts").asString("")));
    return Stream.concat(
            Stream.of(day.path("at").asString("").replaceFirst("\\.\\d+Z$", "Z")),
            versions.stream().map(version -> hosts.getOrDefault(version, "0")))
        .toArray(String[]::new);
  }
}
