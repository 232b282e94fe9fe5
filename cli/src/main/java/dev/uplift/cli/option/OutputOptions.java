package dev.uplift.cli.option;

import dev.uplift.cli.rest.RestClient;
import java.io.PrintWriter;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// Where a command says what came of it: for people, or with `--json` what the server said.
public final class OutputOptions {
  @Option(names = "--json", description = "As JSON, the server's own words.")
  public boolean asJson;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  public void printResult(JsonNode answer, Function<JsonNode, String> forPeople) {
    printLine(
        asJson
            ? RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(answer)
            : forPeople.apply(answer));
  }

  public void printLine(String text) {
    PrintWriter out = command.commandLine().getOut();
    out.println(text);
    out.flush();
  }
}
