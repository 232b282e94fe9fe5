package dev.uplift.cli;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Where events are sent.
@Command(
    name = "webhook",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Send what happens in the tenant to a program of yours, over HTTP.")
final class WebhookCommands {
  private static final JsonTable TABLE =
      new JsonTable()
          .column("NAME", "name")
          .column("URL", "url")
          .column("EVENTS", one -> one.path("events").isEmpty() ? "all" : JsonTable.join(one.path("events")))
          .column("STATE", WebhookCommands::state)
          .column("LAST EVENT", "last_delivered_event")
          .column("DELIVERED", "last_delivered_at")
          .column("MESSAGE", WebhookCommands::message);

  @Command(name = "list", description = "List all webhooks.")
  int list(@Mixin ServerOptions server) {
    return server.printAll("webhooks", Map.of(), TABLE);
  }

  @Command(name = "show", description = "Show a webhook, and how far it is.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name) {
    return server.print(rest -> rest.get(path(name)), TABLE);
  }

  @Command(
      name = "put",
      sortOptions = false,
      description = {
        "Create a webhook, or replace it, as an admin. A new one begins with the next event.",
        "Its secret, by which your program verifies what it receives, is shown this once."
      })
  int put(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--to", paramLabel = "URL", required = true, description = "Where events are sent.") String url,
      @Option(
              names = "--event",
              paramLabel = "KIND",
              split = ",",
              description =
                  "Send these only: kinds such as upgrade.ended, groups such as 'rollout.*'; default: all. Repeatable.")
          @Nullable List<String> events,
      @Option(
              names = "--escalate-after",
              paramLabel = "SECONDS",
              description =
                  "Tell once more of a wait for a person, or for a host that is off, that lasts for this long.")
          @Nullable Long escalateAfter,
      @Option(names = "--description", paramLabel = "TEXT", description = "For people.") @Nullable String description,
      @Option(names = "--disabled", description = "Send nothing until `webhook enable`.") boolean disabled,
      @Option(names = "--new", description = "Only if there is no such webhook yet.") boolean isNew,
      @Mixin ChangeOptions change) {
    ObjectNode body =
        new RequestFields()
            .put("url", url)
            .put("description", description)
            .put("events", events)
            .put("escalate_after_seconds", escalateAfter)
            .json();
    if (disabled) {
      body.put("enabled", false);
    }
    return server.print(
        rest -> rest.send("PUT", path(name) + change.query(), body, change.headers(isNew)),
        json -> TABLE.apply(json) + secret(json));
  }

  @Command(name = "enable", description = "Send events again, as an admin. It begins with the next event.")
  int enable(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name, @Mixin ChangeOptions change) {
    return server.print(rest -> post(rest, name, "enable", change), TABLE);
  }

  @Command(name = "disable", description = "Send nothing more, as an admin, until it is enabled.")
  int disable(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name, @Mixin ChangeOptions change) {
    return server.print(rest -> post(rest, name, "disable", change), TABLE);
  }

  @Command(
      name = "rotate-secret",
      description = {
        "Give a webhook another secret, as an admin. It is shown this once.",
        "The one before signs as well for 24 hours."
      })
  int rotateSecret(
      @Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name, @Mixin ChangeOptions change) {
    return server.print(
        rest -> post(rest, name, "secret", change),
        json ->
            "the secret before signs as well until %s%s"
                .formatted(json.path("previous_secret_until").asString(""), secret(json)));
  }

  @Command(
      name = "test",
      description = {
        "Send a test to a webhook now, as an admin, and show what its receiver says.",
        "Ends with the exit code 3 if the receiver does not accept it."
      })
  int test(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name, @Mixin DryRunOption dryRun) {
    try (RestClient rest = server.connect()) {
      JsonNode response = rest.send("POST", path(name) + "/test" + dryRun.query(), RestClient.JSON.createObjectNode());
      if (!dryRun.query().isEmpty()) {
        server.output().printResult(response, WebhookCommands::answerText);
        return 0;
      }
      server.output().printResult(response, WebhookCommands::answer);
      return response.path("accepted").asBoolean(false) ? 0 : CliException.UNSUCCESSFUL_OUTCOME;
    }
  }

  @Command(name = "delete", description = "Delete a webhook, as an admin.")
  int delete(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This deletes the webhook " + name, change.dryRun());
    return server.print(
        rest -> rest.delete(path(name) + change.query(), change.headers()), change.result(name + " is deleted"));
  }

  private static JsonNode post(RestClient rest, String name, String action, ChangeOptions change) {
    return rest.send(
        "POST", path(name) + "/" + action + change.query(), RestClient.JSON.createObjectNode(), change.headers());
  }

  private static String state(JsonNode webhook) {
    if (!webhook.path("enabled").asBoolean(false)) {
      return "disabled";
    }
    return webhook.has("failing_since") ? "failing" : "enabled";
  }

  private static String message(JsonNode webhook) {
    if (!webhook.path("enabled").asBoolean(false)) {
      String reason = webhook.path("disabled_reason").asString("");
      return "by " + webhook.path("disabled_by").asString("") + (reason.isEmpty() ? "" : ": " + reason);
    }
    return webhook.has("failing_since")
        ? "since %s: %s".formatted(webhook.path("failing_since").asString(""), webhook.path("last_error").asString(""))
        : "";
  }

  private static String secret(JsonNode response) {
    return response.has("secret") ? "\n\nsecret: " + response.path("secret").asString("") : "";
  }

  private static String answer(JsonNode response) {
    String body = response.path("body").asString("");
    return (response.path("accepted").asBoolean(false) ? "accepted: " : "not accepted: ")
        + answerText(response)
        + (body.isEmpty() ? "" : "\n" + body);
  }

  private static String answerText(JsonNode response) {
    return response.path("message").asString("");
  }

  private static String path(String name) {
    return "webhooks/" + RestClient.pathSegment(name);
  }
}
