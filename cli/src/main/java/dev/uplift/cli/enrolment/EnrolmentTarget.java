package dev.uplift.cli.enrolment;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/// A host to create a token for.
///
/// @param source its place in the input, for messages
/// @param labels of its device, if that is created
public record EnrolmentTarget(String source, String device, String host, Map<String, String> labels) {
  private static final int MAX_COUNT = 100_000;

  /// Expands the patterns with consecutive numbers.
  static List<EnrolmentTarget> fromPattern(
      String device, String host, int first, int count, Map<String, String> labels) {
    if (count < 1 || count > MAX_COUNT || !hasOnePlaceholder(device) || !hasOnePlaceholder(host)) {
      throw CliException.usageError(
          "--count: expected 1 to %d, and one place for a number in --device and in --host, as in shop-####"
              .formatted(MAX_COUNT));
    }
    if (first < 0 || first > Integer.MAX_VALUE - count) {
      throw CliException.usageError("--first: expected 0 or more");
    }
    return IntStream.range(first, first + count)
        .mapToObj(
            number -> new EnrolmentTarget("number " + number, expand(device, number), expand(host, number), labels))
        .toList();
  }

  private static boolean hasOnePlaceholder(String pattern) {
    return pattern.matches("[^#]*#+[^#]*");
  }

  private static String expand(String pattern, int number) {
    int start = pattern.indexOf('#');
    int end = pattern.lastIndexOf('#') + 1;
    String digits = Integer.toString(number);
    String zeros = "0".repeat(Math.max(0, end - start - digits.length()));
    return pattern.substring(0, start) + zeros + digits + pattern.substring(end);
  }

  /// @param zone empty for the default
  ObjectNode toJson(String zone) {
    ObjectNode json = RestClient.JSON.createObjectNode().put("device", device).put("host", host);
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
