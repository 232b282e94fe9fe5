package dev.uplift.cli;

import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/// Health of the server and its dependencies.
@Command(
    name = "health",
    description = {
      "Show whether the server reaches its database, Temporal and NATS.",
      "Exit code: 0 if it reaches all of them, else 1."
    })
final class HealthCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection = new ConnectionOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    try (RestClient restClient = connection.connect()) {
      JsonNode health = restClient.health();
      output.printResult(health, HealthCommand::table);
      return health.path("status").asString("").equals("up") ? 0 : CliException.FAILED;
    }
  }

  private static String table(JsonNode health) {
    Table table = new Table("DEPENDENCY", "STATUS");
    health.properties().forEach(part -> table.addRow(part.getKey(), part.getValue().asString("")));
    return table.toString();
  }
}
