package dev.uplift.cli.rollout;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.RestClient;
import java.util.HashMap;
import java.util.List;
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
  private static final int MAX_LIST = 500;

  @Mixin ServerOptions server = new ServerOptions();

  @Parameters(index = "0", paramLabel = "ID", description = "The rollout.")
  String id = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Recorded with the action.")
  @Nullable String reason;

  @Mixin ChangeOptions change = new ChangeOptions();

  int send(String action) {
    return send(action, "", null);
  }

  /// Shows what the rollout is now, and returns its revision if a person confirms.
  long confirmRevision(ConfirmationOption confirmation) {
    try (RestClient rest = server.connect()) {
      JsonNode now = rest.get("rollouts/" + RestClient.pathSegment(id));
      confirmation.confirm(
          "This approves revision %s of %s: %s %s, wave %s of %s"
              .formatted(
                  now.path("revision").asString(""),
                  id,
                  now.path("package").asString(""),
                  now.path("version").asString(""),
                  now.path("current_wave").asString(""),
                  now.path("wave_count").asString("")),
          change.dryRun());
      return now.path("revision").asLong();
    }
  }

  /// Sends an action with a list, in as many requests as the server takes lists; ends with the first that fails.
  int sendForEach(String action, String field, List<String> values) {
    int code = 0;
    for (int from = 0; from < values.size() && code == 0; from += MAX_LIST) {
      code = send(action, field, values.subList(from, Math.min(from + MAX_LIST, values.size())));
    }
    return code;
  }

  /// Sends an action with a further field, if that has a value.
  int send(String action, String field, @Nullable Object value) {
    ObjectNode body = new RequestFields().put(field, value).put("reason", reason).json();
    String path = "rollouts/" + RestClient.pathSegment(id) + "/" + action + change.query();
    Map<String, String> headers = new HashMap<>(change.headers());
    headers.put("Idempotency-Key", UUID.randomUUID().toString());
    return server.print(
        rest -> rest.send("POST", path, body, headers), result -> result.path("message").asString(action));
  }
}
