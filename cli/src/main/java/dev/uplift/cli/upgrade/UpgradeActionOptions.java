package dev.uplift.cli.upgrade;

import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.RestClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An operator's action on a running upgrade. The server knows the operator from the token.
final class UpgradeActionOptions {
  @Mixin ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "ID", description = "The upgrade.")
  String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Recorded with the action.")
  @Nullable String reason;

  @Mixin DryRunOption dryRun = new DryRunOption();

  private String describe(String action, JsonNode result) {
    String message = result.path("message").asString("");
    return dryRun.enabled ? message : action + " is accepted" + (message.isEmpty() ? "" : ": " + message);
  }

  /// Sends an action on the whole upgrade.
  int send(String action) {
    return send(action, "", null);
  }

  /// Sends an action with a further field, if that has a value.
  int send(String action, String field, @Nullable String value) {
    ObjectNode body = new RequestFields().put("reason", reason).put(field, value).json();
    String path = "upgrades/" + RestClient.pathSegment(id) + "/" + action + dryRun.query();
    return server.print(rest -> rest.send("POST", path, body), result -> describe(action, result));
  }
}
