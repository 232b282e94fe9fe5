package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/// A host that is to get a token.
///
/// @param labels of its device, if that is made for it
record EnrolPlan(String device, String host, Map<String, String> labels) {

  /// One for each number.
  static List<EnrolPlan> counted(
      String device, String host, int first, int count, Map<String, String> labels) {
    if (count < 1 || !device.contains("#") || !host.contains("#")) {
      throw CommandFailed.usage(
          "--count: expected 1 or more, and a place for a number in --device and --host, as in"
              + " shop-####");
    }
    return IntStream.range(first, first + count)
        .mapToObj(number -> new EnrolPlan(numbered(device, number), numbered(host, number), labels))
        .toList();
  }

  private static String numbered(String pattern, int number) {
    int start = pattern.indexOf('#');
    int end = start;
    while (end < pattern.length() && pattern.charAt(end) == '#') {
      end++;
    }
    String digits = Integer.toString(number);
    String zeros = "0".repeat(Math.max(0, end - start - digits.length()));
    return pattern.substring(0, start) + zeros + digits + pattern.substring(end);
  }

  /// Lines `device,host[,label=value...]`; empty ones and those that begin with `#` are none.
  static List<EnrolPlan> lines(List<String> lines) {
    List<EnrolPlan> plans = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#") && !line.equals("device,host")) {
        plans.add(line(line, i + 1));
      }
    }
    return plans;
  }

  private static EnrolPlan line(String line, int number) {
    String[] cells = line.split(",", -1);
    Map<String, String> labels = new TreeMap<>();
    for (int i = 2; i < cells.length; i++) {
      String[] label = cells[i].strip().split("=", 2);
      if (label.length < 2) {
        throw wrong(number);
      }
      labels.put(label[0], label[1]);
    }
    if (cells.length < 2 || cells[0].isBlank() || cells[1].isBlank()) {
      throw wrong(number);
    }
    return new EnrolPlan(cells[0].strip(), cells[1].strip(), labels);
  }

  private static CommandFailed wrong(int number) {
    return CommandFailed.usage("line " + number + ": expected device,host[,label=value...]");
  }

  /// @param zone empty for the usual one
  ObjectNode json(String zone) {
    ObjectNode json = Rest.JSON.createObjectNode().put("device", device).put("host", host);
    if (!zone.isEmpty()) {
      json.put("zone", zone);
    }
    if (!labels.isEmpty()) {
      ObjectNode named = json.putObject("labels");
      labels.forEach(named::put);
    }
    return json;
  }
}
