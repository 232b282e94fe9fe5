package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import java.io.PrintWriter;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// Where a command says what came of it: for people, or with `--json` what the server said.
final class Output {
  @Option(names = "--json", description = "As JSON, the server's own words.")
  boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  void show(JsonNode answer, Function<JsonNode, String> forPeople) {
    say(
        json
            ? Rest.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(answer)
            : forPeople.apply(answer));
  }

  void say(String text) {
    PrintWriter out = command.commandLine().getOut();
    out.println(text);
    out.flush();
  }
}
