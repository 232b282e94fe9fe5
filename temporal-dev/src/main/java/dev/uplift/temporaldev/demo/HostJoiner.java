package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.StackHost;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Lets hosts join the fleet with a token each, as on a device.
final class HostJoiner {
  private final RestClient rest;
  private final Map<String, StackHost> hosts = new LinkedHashMap<>();
  private final ArrayNode requests = RestClient.JSON.createArrayNode();

  HostJoiner(RestClient rest) {
    this.rest = rest;
  }

  /// Adds a host of an existing device, unless it has joined.
  void add(String device, StackHost stackHost) {
    if (!Files.exists(stackHost.credentialsFile())) {
      hosts.put(stackHost.id(), stackHost);
      requests.addObject().put("device", device).put("host", stackHost.id());
    }
  }

  /// Lets all hosts join at once.
  void join() {
    if (hosts.isEmpty()) {
      return;
    }
    ObjectNode body = RestClient.JSON.createObjectNode();
    body.set("hosts", requests);
    List<CompletableFuture<JoinCommandResult>> joining = new ArrayList<>();
    for (JsonNode each : rest.send("POST", "enrolments", body).path("items")) {
      StackHost stackHost = hosts.get(each.path("host").asString(""));
      String token = each.path("token").asString("");
      if (stackHost != null) {
        joining.add(
            CompletableFuture.supplyAsync(
                () -> stackHost.join(token), task -> Thread.ofVirtual().start(task)));
      }
    }
    for (CompletableFuture<JoinCommandResult> one : joining) {
      JoinCommandResult joinCommandResult = one.join();
      if (joinCommandResult.exitCode() != 0) {
        throw new CliException(
            CliException.UNSUCCESSFUL_OUTCOME,
            "a host could not join: " + joinCommandResult.output());
      }
    }
  }
}
