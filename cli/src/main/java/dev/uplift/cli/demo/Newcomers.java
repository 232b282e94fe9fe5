package dev.uplift.cli.demo;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Joined;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Hosts that are not of the fleet yet: each joins with a token, as on a device.
final class Newcomers {
  private final Rest rest;
  private final Map<String, Host> hosts = new LinkedHashMap<>();
  private final ArrayNode wanted = Rest.JSON.createArrayNode();

  Newcomers(Rest rest) {
    this.rest = rest;
  }

  /// A host of a device that there is; nothing where it has joined.
  void add(String device, Host host) {
    if (!Files.exists(host.credentials())) {
      hosts.put(host.id(), host);
      wanted.addObject().put("device", device).put("host", host.id());
    }
  }

  /// They join, all at once.
  void join() {
    if (hosts.isEmpty()) {
      return;
    }
    ObjectNode body = Rest.JSON.createObjectNode();
    body.set("hosts", wanted);
    List<CompletableFuture<Joined>> joining = new ArrayList<>();
    for (JsonNode each : rest.send("POST", "enrolments", body).path("items")) {
      Host host = hosts.get(each.path("host").asString(""));
      String token = each.path("token").asString("");
      if (host != null) {
        joining.add(
            CompletableFuture.supplyAsync(
                () -> host.join(token), task -> Thread.ofVirtual().start(task)));
      }
    }
    for (CompletableFuture<Joined> one : joining) {
      Joined joined = one.join();
      if (joined.code() != 0) {
        throw new CommandFailed(
            CommandFailed.OTHER_OUTCOME, "a host does not join: " + joined.said());
      }
    }
  }
}
