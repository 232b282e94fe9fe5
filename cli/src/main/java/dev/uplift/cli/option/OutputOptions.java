package dev.uplift.cli.option;

import dev.uplift.cli.rest.RestClient;
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
    printLine(format(response, forPeople));
  }

  public String format(JsonNode response, Function<JsonNode, String> forPeople) {
    return asJson
        ? RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(response)
        : forPeople.apply(response);
  }

  public void printLine(String text) {
    PrintWriter out = command.commandLine().getOut();
    out.println(text);
    out.flush();
  }
}
