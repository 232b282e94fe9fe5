package dev.uplift.cli;

import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/// Health of the server and its dependencies.
@Command(
    name = "health",
    description = {
      "Show whether the server reaches its database, Temporal and NATS, and whether it has caught up since it started.",
      "Exit code: 0 if it reaches all of them, else 1."
    })
final class HealthCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Override
  public Integer call() {
    try (RestClient rest = server.connect()) {
      JsonNode health = rest.health();
      server.output().printResult(health, HealthCommand::table);
      return health.path("status").asString("").equals("UP") ? 0 : CliException.FAILED;
    }
  }

  private static String table(JsonNode health) {
    Table table = new Table("PART", "STATUS", "DETAILS");
    health
        .path("details")
        .properties()
        .forEach(part ->
            table.addRow(
                part.getKey(), part.getValue().path("status").asString(""), details(part.getValue().path("details"))));
    return table.toString();
  }

  private static String details(JsonNode details) {
    return details.valueStream().filter(JsonNode::isString).map(JsonNode::asString).collect(Collectors.joining("; "));
  }
}
