package dev.uplift.cli.device;

import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.protocol.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// Why a device is not, not yet or no longer being upgraded.
@Command(
    name = "why",
    description = {
      "Explain why a device is not, not yet or no longer being upgraded.",
      "A chain from what is wanted to what happens; the line with the arrow is the answer."
    })
public final class WhyCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "DEVICE", index = "0")
  private String device = "";

  @Parameters(
      paramLabel = "PACKAGE",
      index = "1",
      arity = "0..1",
      defaultValue = "",
      description = "Default: each that its hosts report, or that is to be upgraded there.")
  private String packageName = "";

  @Override
  public Integer call() {
    String path = "devices/" + RestClient.pathSegment(device) + "/why";
    String query = packageName.isEmpty() ? "" : "?package=" + RestClient.pathSegment(packageName);
    return server.print(rest -> rest.get(path + query), WhyCommand::describe);
  }

  /// Returns the text for an answer of the server.
  public static String describe(JsonNode response) {
    JsonNode packages = response.path("packages");
    return packages.isEmpty()
        ? "no host of it has reported a package, and none is to be upgraded there"
        : packages.valueStream().map(WhyCommand::explanation).collect(Collectors.joining("\n\n"));
  }

  private static String explanation(JsonNode explanation) {
    JsonNode answer = explanation.path("answer");
    String wanted = text(explanation, "wanted");
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s%s: %s"
            .formatted(
                text(explanation, "package"),
                wanted.isEmpty() ? "" : " (wanted: " + wanted + ")",
                text(answer, "word")));
    for (JsonNode link : explanation.path("links")) {
      lines.add((link.equals(answer) ? "> " : "  ") + text(link, "word") + ": " + text(link, "message") + times(link));
      if (link.path("remedy").isString()) {
        lines.add("      " + text(link, "remedy"));
      }
    }
    return String.join("\n", lines);
  }

  private static String times(JsonNode link) {
    return time(link, "since") + time(link, "until");
  }

  private static String time(JsonNode link, String field) {
    return link.path(field).isString() ? ", " + field + " " + TextFormat.time(text(link, field)) : "";
  }

  private static String text(JsonNode json, String field) {
    return PrintableText.line(json.path(field).asString(""));
  }
}
