package dev.uplift.workflows.policy;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The page of a policy in Temporal Web UI: how it stands, in Markdown.
final class PolicyCurrentDetails {
  private PolicyCurrentDetails() {}

  static String of(PolicyReport report) {
    String counts =
        new TreeMap<>(report.counts())
            .entrySet().stream()
                .map((Map.Entry<String, Integer> entry) -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    String next = report.nextChange().map(at -> "\n\nnext device due at " + at).orElse("");
    return "**%s**\n\n%s%s"
        .formatted(
            counts.isEmpty() ? "no devices" : counts,
            report.message().replace("|", "\\|").replaceAll("\\s+", " "),
            next);
  }
}
