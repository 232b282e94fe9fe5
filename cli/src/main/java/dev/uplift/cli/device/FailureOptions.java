package dev.uplift.cli.device;

import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.text.TextFormat;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// Which failures are to be cleared, and why.
final class FailureOptions {
  @Option(names = "--package", required = true, paramLabel = "PACKAGE")
  private String packageName = "";

  @Option(names = "--version", required = true, paramLabel = "VERSION")
  private String version = "";

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Why the failures say nothing about the release; kept in the audit.")
  private String reason = "";

  RequestFields addTo(RequestFields fields) {
    return fields.put("package", packageName).put("version", version).put("reason", reason);
  }

  /// Such as `2 failures of shopd 1.5.0`.
  String clearedText(JsonNode response) {
    return "%s of %s %s"
        .formatted(TextFormat.count(response.path("cleared").asInt(0), "failure"), packageName, version);
  }
}
