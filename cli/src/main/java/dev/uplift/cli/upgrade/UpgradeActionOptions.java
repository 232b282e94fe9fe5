package dev.uplift.cli.upgrade;

import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.RestClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An operator's action on a running upgrade. The server knows the operator from the token.
final class UpgradeActionOptions {
  @Parameters(paramLabel = "ID", description = "The upgrade.")
  String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Recorded with the action.")
  @Nullable String reason;

  @Mixin DryRunOption dryRun = new DryRunOption();

  /// Sends an action on the whole upgrade.
  int sendAction(ConnectionOptions connectionOptions, OutputOptions outputOptions, String action) {
    return sendAction(connectionOptions, outputOptions, action, "", null);
  }

  /// Sends an action with a further field, if that has a value.
  int sendAction(
      ConnectionOptions connectionOptions,
      OutputOptions outputOptions,
      String action,
      String field,
      @Nullable String value) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    if (reason != null) {
      body.put("reason", reason);
    }
    if (value != null) {
      body.put(field, value);
    }
    String path = "upgrades/" + RestClient.pathSegment(id) + "/" + action + dryRun.query();
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode answer = restClient.send("POST", path, body);
      outputOptions.printResult(answer, result -> result.path("message").asString(action));
    }
    return 0;
  }
}
