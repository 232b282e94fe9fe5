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

/// What a person tells a running upgrade. Who it was the server knows from the token.
final class UpgradeActionOptions {
  @Parameters(paramLabel = "ID", description = "The upgrade.")
  String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Kept beside it, for others.")
  @Nullable String reason;

  @Mixin DryRunOption dryRun = new DryRunOption();

  /// About the upgrade as a whole.
  int sendAction(ConnectionOptions connectionOptions, OutputOptions outputOptions, String what) {
    return sendAction(connectionOptions, outputOptions, what, "", null);
  }

  /// With one thing more, if it is said.
  int sendAction(
      ConnectionOptions connectionOptions,
      OutputOptions outputOptions,
      String what,
      String field,
      @Nullable String value) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    if (reason != null) {
      body.put("reason", reason);
    }
    if (value != null) {
      body.put(field, value);
    }
    String path = "upgrades/" + RestClient.pathSegment(id) + "/" + what + dryRun.query();
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode answer = restClient.send("POST", path, body);
      outputOptions.printResult(answer, told -> told.path("said").asString(what));
    }
    return 0;
  }
}
