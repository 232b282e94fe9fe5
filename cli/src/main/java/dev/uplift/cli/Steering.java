package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a person tells a running upgrade. Who it was the server knows from the token.
final class Steering {
  @Parameters(paramLabel = "ID", description = "The upgrade.")
  String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Kept beside it, for others.")
  @Nullable String reason;

  @Mixin DryRun dryRun = new DryRun();

  /// About the upgrade as a whole.
  int send(Connection connection, Output output, String what) {
    return send(connection, output, what, "", null);
  }

  /// With one thing more, if it is said.
  int send(
      Connection connection, Output output, String what, String field, @Nullable String value) {
    ObjectNode body = Rest.JSON.createObjectNode();
    if (reason != null) {
      body.put("reason", reason);
    }
    if (value != null) {
      body.put(field, value);
    }
    String path = "upgrades/" + Rest.segment(id) + "/" + what + dryRun.query();
    try (Rest rest = connection.open()) {
      JsonNode answer = rest.send("POST", path, body);
      output.show(answer, told -> told.path("said").asString(what));
    }
    return 0;
  }
}
