package dev.uplift.cli.device;

import dev.uplift.cli.text.Table;
import dev.uplift.cli.window.WindowOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Formats devices as tables.
final class DeviceFormatter {
  private DeviceFormatter() {}

  static String table(JsonNode devices) {
    Table table = new Table("DEVICE", "HOSTS", "ZONE", "LABELS", "HELD");
    for (JsonNode device : devices) {
      table.addRow(
          name(device),
          hosts(device),
          device.path("zone").asString(""),
          labels(device.path("labels")),
          device.path("hold").path("reason").asString(""));
    }
    return table.toString();
  }

  static String details(JsonNode device) {
    Table table = new Table("DEVICE", name(device));
    table.addRow("hosts", hosts(device));
    table.addRow("zone", device.path("zone").asString(""));
    table.addRow("labels", labels(device.path("labels")));
    table.addRow("windows", WindowOptions.describe(device.path("windows")));
    table.addRow("held", device.path("hold").path("reason").asString(""));
    table.addRow("version", device.path("version").asString(""));
    return table.toString();
  }

  static String windowOpenings(JsonNode windows) {
    Table table = new Table("OPENS", "CLOSES", "OPENS (UTC)", "CLOSES (UTC)");
    for (JsonNode opening : windows.path("next_openings")) {
      table.addRow(
          opening.path("local_opens_at").asString(""),
          opening.path("local_closes_at").asString(""),
          opening.path("opens_at").asString(""),
          opening.path("closes_at").asString(""));
    }
    return windows.path("message").asString("") + "\n\n" + table;
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
    Table table = new Table("VERSION", "DEVICES", "HOSTS");
    for (JsonNode count : counted.path("versions")) {
      versions(table, count);
    }
    versions(table, counted.path("unknown"));
    return table.toString();
  }

  private static void versions(Table table, JsonNode count) {
    table.addRow(
        count.path("version").asString("unknown"),
        count.path("devices").asString(""),
        count.path("hosts").asString(""));
  }
}
