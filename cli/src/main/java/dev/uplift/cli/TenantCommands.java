package dev.uplift.cli;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Tenants, to whom devices belong.
@Command(
    name = "tenant",
    synopsisSubcommandLabel = "COMMAND",
    description = "Show tenants, or create them as an admin of all tenants.")
final class TenantCommands {
  private static final JsonTable TABLE =
      new JsonTable().column("TENANT", "tenant").column("TITLE", "title").column("CREATED", "created_at");

  @Command(name = "list", description = "List all tenants that the token permits.")
  int list(@Mixin ServerOptions server) {
    return server.print(RestClient::listTenants, TABLE);
  }

  @Command(name = "show", description = "Show the tenant of --tenant.")
  int show(@Mixin ServerOptions server) {
    return server.print(rest -> rest.get(""), TABLE);
  }

  @Command(name = "put", description = "Create the tenant of --tenant, or change its title.")
  int put(
      @Mixin ServerOptions server,
      @Option(names = "--title", paramLabel = "TEXT") @Nullable String title,
      @Option(names = "--new", description = "Only if there is no such tenant yet.") boolean isNew,
      @Mixin ChangeOptions change) {
    ObjectNode body = new RequestFields().put("title", title).json();
    return server.print(rest -> rest.send("PUT", change.query(), body, change.headers(isNew)), TABLE);
  }
}
