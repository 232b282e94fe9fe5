package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/// A host that is to get a token.
///
/// @param place where it was asked for, for people
/// @param labels of its device, if that is made for it
record EnrolPlan(String place, String device, String host, Map<String, String> labels) {
  private static final int MOST = 100_000;

  /// One for each number.
  static List<EnrolPlan> counted(
      String device, String host, int first, int count, Map<String, String> labels) {
    if (count < 1 || count > MOST || !hasOnePlace(device) || !hasOnePlace(host)) {
      throw CommandFailed.usage(
          "--count: expected 1 to %d, and one place for a number in --device and in --host, as in shop-####"
              .formatted(MOST));
    }
    if (first < 0 || first > Integer.MAX_VALUE - count) {
      throw CommandFailed.usage("--first: expected 0 or more");
    }
    return IntStream.range(first, first + count)
        .mapToObj(number ->
            new EnrolPlan(
                "number " + number, numbered(device, number), numbered(host, number), labels))
        .toList();
  }

  private static boolean hasOnePlace(String pattern) {
    return pattern.matches("[^#]*#+[^#]*");
  }

  private static String numbered(String pattern, int number) {
    int start = pattern.indexOf('#');
    int end = pattern.lastIndexOf('#') + 1;
    String digits = Integer.toString(number);
    String zeros = "0".repeat(Math.max(0, end - start - digits.length()));
    return pattern.substring(0, start) + zeros + digits + pattern.substring(end);
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
