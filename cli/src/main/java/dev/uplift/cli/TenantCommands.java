package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// To whom devices belong.
@Command(
    name = "tenant",
    synopsisSubcommandLabel = "COMMAND",
    description = "Shows tenants; makes them, for an admin of all tenants.")
final class TenantCommands {
  @Command(name = "list", description = "All tenants that the token is for.")
  int list(@Mixin Connection connection, @Mixin Output output) {
    try (Rest rest = connection.open()) {
      output.show(rest.tenants(), TenantCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "The tenant of --tenant.")
  int show(@Mixin Connection connection, @Mixin Output output) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(""), TenantCommands::one);
    }
    return 0;
  }

  @Command(name = "put", description = "Makes the tenant of --tenant, or changes its title.")
  int put(
      @Mixin Connection connection,
      @Mixin Output output,
      @Option(names = "--title", paramLabel = "TEXT") @Nullable String title,
      @Option(names = "--new", description = "Only if there is no such tenant yet.") boolean isNew,
      @Mixin Match match,
      @Mixin DryRun dryRun) {
    ObjectNode body = Rest.JSON.createObjectNode();
    if (title != null) {
      body.put("title", title);
    }
    try (Rest rest = connection.open()) {
      output.show(
          rest.send("PUT", dryRun.query(), body, WindowCommands.headers(match, isNew)),
          TenantCommands::one);
    }
    return 0;
  }

  private static String one(JsonNode found) {
    return table(Rest.JSON.createArrayNode().add(found));
  }

  private static String table(JsonNode tenants) {
    Table table = new Table("TENANT", "TITLE", "CREATED");
    for (JsonNode tenant : tenants) {
      table.row(
          tenant.path("tenant").asString(""),
          tenant.path("title").asString(""),
          tenant.path("created_at").asString(""));
    }
    return table.toString();
  }
}
