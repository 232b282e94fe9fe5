package dev.uplift.cli;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tenants, to whom devices belong.
@Command(
    name = "tenant",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Show tenants; create or delete them as an admin of all tenants.")
final class TenantCommands {
  private static final JsonTable TABLE =
      new JsonTable()
          .column("TENANT", "tenant")
          .column("TITLE", "title")
          .column("OWNERS' HOLDS", TenantCommands::holds)
          .column("CREATED", "created_at");

  private static final JsonTable TABLE_WITH_DELETED =
      new JsonTable()
          .column("TENANT", "tenant")
          .column("TITLE", "title")
          .column("OWNERS' HOLDS", TenantCommands::holds)
          .column("CREATED", "created_at")
          .column("DELETED", "deleted_at")
          .column("REMOVED", "removed_at");

  private static String holds(JsonNode tenant) {
    return tenant.path("allow_hold_override").asBoolean(false) ? "can be overridden" : "are respected";
  }

  @Command(name = "list", description = "List all tenants that the token permits.")
  int list(
      @Mixin ServerOptions server,
      @Option(names = "--deleted", description = "Show the deleted ones too, as an admin of all tenants.")
          boolean withDeleted) {
    return server.print(rest -> rest.listTenants(withDeleted), withDeleted ? TABLE_WITH_DELETED : TABLE);
  }

  @Command(name = "show", description = "Show the tenant of --tenant.")
  int show(@Mixin ServerOptions server) {
    return server.print(
        rest -> rest.get(""), tenant -> (tenant.has("deleted_at") ? TABLE_WITH_DELETED : TABLE).apply(tenant));
  }

  @Command(name = "put", description = "Create the tenant of --tenant, or change it.")
  int put(
      @Mixin ServerOptions server,
      @Option(names = "--title", paramLabel = "TEXT") @Nullable String title,
      @Option(
              names = "--allow-hold-override",
              arity = "1",
              paramLabel = "true|false",
              description = "Whether a person may override what the owners of its hosts hold; at first not.")
          @Nullable Boolean allowHoldOverride,
      @Option(names = "--new", description = "Only if there is no such tenant yet.") boolean isNew,
      @Mixin ChangeOptions change) {
    ObjectNode body = new RequestFields().put("title", title).json();
    if (allowHoldOverride != null) {
      body.put("allow_hold_override", allowHoldOverride);
    }
    return server.print(rest -> rest.send("PUT", change.query(), body, change.headers(isNew)), TABLE);
  }

  @Command(
      name = "delete",
      sortOptions = false,
      description = {
        "Delete a tenant and everything that belongs to it, except its audit. Its hosts are disconnected at once, and its"
            + " name is not used again.",
        "Refused while an upgrade of it runs or a rollout is open."
      })
  int delete(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "TENANT", description = "The tenant of --tenant, once more.") String tenant,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    try (RestClient rest = server.connect()) {
      if (!tenant.equals(rest.tenant())) {
        throw CliException.usageError(
            "%s: the tenant in use is %s; to delete another one, name it with --tenant too"
                .formatted(tenant, rest.tenant()));
      }
      String path = "?confirm=" + tenant;
      JsonNode contents = rest.delete(path + "&validate=true", change.headers());
      confirmation.confirm("This deletes " + describe(contents), change.dryRun());
      JsonNode deleted = change.dryRun().enabled ? contents : rest.delete(path, change.headers());
      server
          .output()
          .printResult(
              deleted, found -> describe(found) + (change.dryRun().enabled ? " can be deleted" : " is deleted"));
    }
    return 0;
  }

  private static String describe(JsonNode contents) {
    return Stream.of("devices", "hosts", "releases", "upgrades", "rollouts")
        .map(kind -> contents.path(kind).asString("0") + " " + kind)
        .collect(Collectors.joining(", ", "the tenant " + contents.path("tenant").asString("") + " with ", ""));
  }
}
