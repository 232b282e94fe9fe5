package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/// Whether all is there that the server needs.
@Command(
    name = "health",
    description = {
      "Whether database, Temporal and NATS are there for the server.",
      "Ends with 0 if all are, else with 1."
    })
final class HealthCommand implements Callable<Integer> {
  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    try (Rest rest = connection.open()) {
      JsonNode health = rest.health();
      output.show(health, HealthCommand::table);
      return health.path("status").asString("").equals("up") ? 0 : CommandFailed.REFUSED;
    }
  }

  private static String table(JsonNode health) {
    Table table = new Table("PART", "IS");
    health.properties().forEach(part -> table.row(part.getKey(), part.getValue().asString("")));
    return table.toString();
  }
}
