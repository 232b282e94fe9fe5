package dev.uplift.cli.rollout;

import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.IfMatchOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.RestClient;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An operator's action on a rollout. The server knows the operator from the token.
final class RolloutActionOptions {
  @Parameters(index = "0", paramLabel = "ID", description = "The rollout.")
  String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Recorded with the action.")
  @Nullable String reason;

  @Mixin DryRunOption dryRun = new DryRunOption();
  @Mixin IfMatchOption match = new IfMatchOption();

  int sendAction(ConnectionOptions connectionOptions, OutputOptions outputOptions, String action) {
    return sendAction(connectionOptions, outputOptions, action, RestClient.JSON.createObjectNode());
  }

  int sendAction(
      ConnectionOptions connectionOptions,
      OutputOptions outputOptions,
      String action,
      ObjectNode body) {
    if (reason != null) {
      body.put("reason", reason);
    }
    String path = "rollouts/" + RestClient.pathSegment(id) + "/" + action + dryRun.query();
    try (RestClient restClient = connectionOptions.connect()) {
      Map<String, String> headers = new HashMap<>(match.headers());
      headers.put("Idempotency-Key", UUID.randomUUID().toString());
      JsonNode answer = restClient.send("POST", path, body, headers);
      outputOptions.printResult(answer, result -> result.path("message").asString(action));
    }
    return 0;
  }
}
