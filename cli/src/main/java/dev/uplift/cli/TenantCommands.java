package dev.uplift.cli;

import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.IfMatchOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tenants, to whom devices belong.
@Command(
    name = "tenant",
    synopsisSubcommandLabel = "COMMAND",
    description = "Show tenants, or create them as an admin of all tenants.")
final class TenantCommands {
  @Command(name = "list", description = "List all tenants that the token permits.")
  int list(@Mixin ConnectionOptions connectionOptions, @Mixin OutputOptions outputOptions) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.listTenants(), TenantCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "Show the tenant of --tenant.")
  int show(@Mixin ConnectionOptions connectionOptions, @Mixin OutputOptions outputOptions) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.get(""), TenantCommands::singleRow);
    }
    return 0;
  }

  @Command(name = "put", description = "Create the tenant of --tenant, or change its title.")
  int put(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Option(names = "--title", paramLabel = "TEXT") @Nullable String title,
      @Option(names = "--new", description = "Only if there is no such tenant yet.") boolean isNew,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    if (title != null) {
      body.put("title", title);
    }
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.send("PUT", dryRunOption.query(), body, ifMatchOption.headers(isNew)),
          TenantCommands::singleRow);
    }
    return 0;
  }

  private static String singleRow(JsonNode tenant) {
    return table(RestClient.JSON.createArrayNode().add(tenant));
  }

  private static String table(JsonNode tenants) {
    Table table = new Table("TENANT", "TITLE", "CREATED");
    for (JsonNode tenant : tenants) {
      table.addRow(
          tenant.path("tenant").asString(""),
          tenant.path("title").asString(""),
          tenant.path("created_at").asString(""));
    }
    return table.toString();
  }
}
