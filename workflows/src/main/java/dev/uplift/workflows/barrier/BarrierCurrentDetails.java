package dev.uplift.workflows.barrier;

import java.util.stream.Collectors;

/// The page of a barrier in Temporal Web UI: where it is, in Markdown.
final class BarrierCurrentDetails {
  private BarrierCurrentDetails() {}

  static String of(BarrierStatus status, BarrierInput input) {
    String missing =
        status.missing().stream()
            .map(host -> "\n- " + host.replace("|", "\\|").replaceAll("\\s+", " "))
            .collect(Collectors.joining());
    return "**%s**: %s\n\nhalted hosts resume by themselves at %s%s%s"
        .formatted(
            status.outcome().map(outcome -> status.state() + ", " + outcome).orElse(status.state().toString()),
            status.counts().describe(),
            input.until(),
            status.message().isEmpty() ? "" : "\n\n" + status.message().replaceAll("\\s+", " "),
            missing.isEmpty() ? "" : "\n\nmissing:\n" + missing);
  }
}
