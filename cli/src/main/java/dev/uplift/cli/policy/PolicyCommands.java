package dev.uplift.cli.policy;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Rules that roll releases out by themselves.
@Command(
    name = "policy",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Standing rules about the version of a package, which roll releases out by themselves.")
public final class PolicyCommands {
  private static final JsonTable TABLE =
      new JsonTable()
          .column("NAME", "name")
          .column("PACKAGE", "package")
          .column("TARGET", one -> target(one.path("policy").path("target")))
          .column("ENABLED", one -> one.path("enabled").asBoolean(false) ? "yes" : "no")
          .number("PRIORITY", "priority")
          .column("SELECTION", "/policy/selection")
          .column("CHANGED", "changed_at")
          .column("BY", "changed_by");

  private static final JsonTable DEVICES =
      new JsonTable()
          .column("DEVICE", "device")
          .column("STATE", "state")
          .column("REASON", "reason")
          .column("MESSAGE", "message");

  private static final JsonTable OF_DEVICE =
      new JsonTable()
          .column("POLICY", "policy")
          .column("PACKAGE", "package")
          .number("PRIORITY", "priority")
          .column("DECIDES", one -> one.path("decides").asBoolean(false) ? "yes" : "no")
          .column("STATE", "state")
          .column("REASON", "reason")
          .column("MESSAGE", "message");

  @Command(name = "list", description = "List all policies.")
  int list(@Mixin ServerOptions server) {
    return server.printAll("policies", Map.of(), TABLE);
  }

  @Command(name = "show", description = "Show a policy.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name) {
    return server.print(rest -> rest.get(path(name)), PolicyCommands::details);
  }

  @Command(
      name = "put",
      sortOptions = false,
      description = {
        "Create a policy, or replace it. A new one does nothing until `policy enable`.",
        "With --dry-run: what it would do if it were enabled now."
      })
  int put(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin PolicyOptions options,
      @Option(names = "--new", description = "Only if there is no such policy yet.") boolean isNew,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    ObjectNode body = options.toJson();
    confirmEverything(options, change, confirmation);
    return server.print(
        rest -> rest.send("PUT", path(name) + change.query(), body, change.headers(isNew)),
        json -> json.has("due") ? preview(json) : TABLE.apply(json));
  }

  @Command(name = "update", sortOptions = false, description = "Change the given properties of a policy only.")
  int update(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin PolicyOptions options,
      @Option(names = "--no-cron", description = "Begin in no runs, but whenever something is due.") boolean noCron,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    ObjectNode body = options.toPatch();
    if (noCron) {
      body.putNull("cron").putNull("cron_zone");
    }
    confirmEverything(options, change, confirmation);
    return server.print(rest -> rest.send("PATCH", path(name) + change.query(), body, change.headers()), TABLE);
  }

  private static void confirmEverything(PolicyOptions options, ChangeOptions change, ConfirmationOption confirmation) {
    if (options.devices.isEverything()) {
      confirmation.confirm("The policy may apply to all devices", change.dryRun());
    }
  }

  @Command(name = "enable", description = "Have a policy begin what is due, and go on with it.")
  int enable(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name, @Mixin ChangeOptions change) {
    return act(server, name, "enable", change);
  }

  @Command(name = "disable", description = "Have a policy begin nothing more. What has begun on devices ends.")
  int disable(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name, @Mixin ChangeOptions change) {
    return act(server, name, "disable", change);
  }

  private static int act(ServerOptions server, String name, String action, ChangeOptions change) {
    return server.print(
        rest ->
            rest.send(
                "POST",
                path(name) + "/" + action + change.query(),
                RestClient.JSON.createObjectNode(),
                change.headers()),
        TABLE);
  }

  @Command(name = "delete", description = "Delete a policy. What has begun on devices ends.")
  int delete(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This deletes the policy " + name, change.dryRun());
    return server.print(
        rest -> rest.delete(path(name) + change.query(), change.headers()), change.result(name + " is deleted"));
  }

  @Command(name = "status", description = "Show how a policy stands, and why devices are not as it asks.")
  int status(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name) {
    return server.print(rest -> rest.get(path(name) + "/status"), PolicyCommands::status);
  }

  @Command(name = "applies-to", description = "List the devices that a policy applies to.")
  int appliesTo(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name) {
    return server.printAll(path(name) + "/applies-to", Map.of(), DEVICES);
  }

  @Command(name = "device", description = "List the policies that apply to a device.")
  int device(@Mixin ServerOptions server, @Parameters(paramLabel = "DEVICE") String device) {
    return server.printAll("devices/" + RestClient.pathSegment(device) + "/policies", Map.of(), OF_DEVICE);
  }

  private static String details(JsonNode policy) {
    String description = policy.path("description").asString("");
    return TABLE.apply(policy) + (description.isEmpty() ? "" : "\n\n" + description);
  }

  private static String target(JsonNode target) {
    if (target.path("offered").asBoolean(false)) {
      return "what is offered";
    }
    return target.has("version")
        ? target.path("version").asString("")
        : target.has("at_least")
            ? ">= " + target.path("at_least").asString("")
            : "channel " + target.path("channel").asString("");
  }

  private static String status(JsonNode json) {
    StringBuilder text = new StringBuilder();
    text.append(json.path("enabled").asBoolean(false) ? "enabled" : "disabled");
    text.append(json.path("complete").asBoolean(false) ? ", complete" : ", not complete");
    if (json.has("complete_since")) {
      text.append(" since ").append(json.path("complete_since").asString(""));
    }
    text.append('\n').append(summary(json));
    if (!json.path("not_satisfied").isEmpty()) {
      text.append("\n\n").append(DEVICES.apply(json.path("not_satisfied")));
    }
    return text.toString();
  }

  private static String preview(JsonNode json) {
    StringBuilder text = new StringBuilder("would begin with %d devices\n".formatted(json.path("due").asInt(0)));
    text.append(summary(json));
    for (JsonNode wave : json.path("waves")) {
      text.append(
          "\nwave %d, %s: %d devices, %s"
              .formatted(
                  wave.path("number").asInt(0),
                  wave.path("title").asString(""),
                  wave.path("devices").asInt(0),
                  JsonTable.join(wave.path("sample"))));
    }
    json.path("warnings").forEach(warning -> text.append("\nwarning: ").append(warning.asString("")));
    return text.toString();
  }

  private static String summary(JsonNode json) {
    StringBuilder text = new StringBuilder();
    text.append(
        json.has("version") ? "version " + json.path("version").asString("") : json.path("missing").asString(""));
    text.append(", %d devices:".formatted(json.path("devices").asInt(0)));
    for (Map.Entry<String, JsonNode> count : json.path("counts").properties()) {
      text.append(" %d %s".formatted(count.getValue().asInt(0), count.getKey()));
    }
    if (!json.path("overruled_by").isEmpty()) {
      text.append("\noverruled by ").append(JsonTable.join(json.path("overruled_by")));
    }
    return text.toString();
  }

  private static String path(String name) {
    return "policies/" + RestClient.pathSegment(name);
  }
}
