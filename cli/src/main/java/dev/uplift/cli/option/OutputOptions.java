package dev.uplift.cli.option;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.PrintableJson;
import dev.uplift.protocol.PrintableText;
import java.io.PrintWriter;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// The format of the result of a command: for people, or with `--json` the response of the server.
public final class OutputOptions {
  @Option(names = "--json", description = "As JSON, the server's own words.")
  public boolean asJson;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  public void printResult(JsonNode response, Function<JsonNode, String> forPeople) {
    print(format(response, forPeople));
  }

  public String format(JsonNode response, Function<JsonNode, String> forPeople) {
    return asJson
        ? PrintableJson.escape(RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(response))
        : PrintableText.lines(forPeople.apply(PrintableJson.of(response)));
  }

  /// Prints text of ours, of one or more lines; with `--json` as the field `message` of an object.
  public void printLine(String text) {
    if (asJson) {
      printJsonLine(RestClient.JSON.createObjectNode().put("message", text));
    } else {
      print(PrintableText.lines(text));
    }
  }

  /// Prints JSON in one line.
  public void printJsonLine(JsonNode json) {
    print(PrintableJson.escape(json.toString()));
  }

  private void print(String text) {
    PrintWriter out = command.commandLine().getOut();
    out.println(text);
    out.flush();
  }
}
