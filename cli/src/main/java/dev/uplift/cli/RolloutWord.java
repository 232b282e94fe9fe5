package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a person tells a rollout. Who it was the server knows from the token.
final class RolloutWord {
  @Parameters(index = "0", paramLabel = "ID", description = "The rollout.")
  String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Kept beside it, for others.")
  @Nullable String reason;

  @Mixin DryRun dryRun = new DryRun();
  @Mixin Match match = new Match();

  int send(Connection connection, Output output, String what) {
    return send(connection, output, what, Rest.JSON.createObjectNode());
  }

  int send(Connection connection, Output output, String what, ObjectNode body) {
    if (reason != null) {
      body.put("reason", reason);
    }
    String path = "rollouts/" + Rest.segment(id) + "/" + what + dryRun.query();
    try (Rest rest = connection.open()) {
      Map<String, String> headers = new HashMap<>(match.headers());
      headers.put("Idempotency-Key", UUID.randomUUID().toString());
      JsonNode answer = rest.send("POST", path, body, headers);
      output.show(answer, told -> told.path("said").asString(what));
    }
    return 0;
  }
}
