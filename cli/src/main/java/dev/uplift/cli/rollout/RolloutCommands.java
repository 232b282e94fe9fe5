package dev.uplift.cli.rollout;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.EventOptions;
import dev.uplift.cli.option.FilterOption;
import dev.uplift.cli.option.IfMatchOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Validates, starts, shows and controls rollouts.
@Command(
    name = "rollout",
    synopsisSubcommandLabel = "COMMAND",
    description = "Roll releases out to many devices, wave by wave; show and control rollouts.")
public final class RolloutCommands extends RolloutActionCommands {
  private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);

  @Command(
      name = "create",
      sortOptions = false,
      description = "Create a rollout and start it. Prints its id.")
  int create(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutIdOption idOption,
      @Mixin RolloutPlanOptions planOptions,
      @Option(
              names = "--draft",
              description = "Create it as a draft, which `rollout start` starts.")
          boolean draft,
      @Option(names = "--watch", description = "Watch it until it has ended.") boolean watch,
      @Mixin DryRunOption dryRunOption) {
    if (dryRunOption.enabled) {
      return validate(connectionOptions, outputOptions, idOption, planOptions);
    }
    ObjectNode body = planOptions.toJson();
    if (draft) {
      body.put("draft", true);
    }
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode created = postPlan(restClient, "rollouts", idOption.idOrGenerated(), body);
      String id = created.path("id").asString("");
      if (watch && !draft) {
        return watch(restClient, outputOptions, id);
      }
      outputOptions.printResult(created, _ -> id);
    }
    return 0;
  }

  @Command(
      name = "validate",
      sortOptions = false,
      description = "Show the devices of each wave and the excluded devices. Creates nothing.")
  int validate(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutIdOption idOption,
      @Mixin RolloutPlanOptions planOptions) {
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode preview =
          postPlan(
              restClient, "rollouts?validate=true", idOption.idOrGenerated(), planOptions.toJson());
      outputOptions.printResult(preview, RolloutFormatter::preview);
    }
    return 0;
  }

  private static JsonNode postPlan(RestClient restClient, String path, String id, ObjectNode body) {
    return restClient.send("POST", path, body, Map.of("Idempotency-Key", id));
  }

  @Command(name = "list", description = "List rollouts, newest first.")
  int list(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name,
      @Option(names = "--version", paramLabel = "VERSION", defaultValue = "") String version) {
    Map<String, String> query = Map.of("state", state, "package", name, "version", version);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.getAll("rollouts", query), RolloutFormatter::list);
    }
    return 0;
  }

  @Command(name = "show", description = "Show one rollout with its waves.")
  int show(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.get(path(id)), RolloutFormatter::details);
    }
    return 0;
  }

  @Command(
      name = "watch",
      description = {
        "Show the progress of a rollout until it has ended, with a bar per wave.",
        "Exit code: 0 if every device then runs the release, else 3."
      })
  int watch(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    try (RestClient restClient = connectionOptions.connect()) {
      return watch(restClient, outputOptions, id);
    }
  }

  private static int watch(RestClient restClient, OutputOptions outputOptions, String id) {
    // With --json only the final state goes to standard output.
    Screen screen = new Screen(outputOptions.asJson ? System.err : System.out, Terminal.detect());
    RolloutResponse ended = new RolloutWatcher(restClient, screen, RECONNECT_DELAY).awaitEnd(id);
    outputOptions.printResult(ended.json(), _ -> ended.outcome() + ": " + ended.counts().summary());
    return ended.hasSucceeded() ? 0 : CliException.UNSUCCESSFUL_OUTCOME;
  }

  @Command(
      name = "events",
      description = "Print the events of a rollout as lines of JSON, until it has ended.")
  int events(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin EventOptions eventOptions) {
    return eventOptions.printEvents(connectionOptions, outputOptions, path(id));
  }

  @Command(name = "waves", description = "List the waves of a rollout.")
  int waves(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    return printList(
        connectionOptions, outputOptions, path(id) + "/waves", Map.of(), RolloutFormatter::waves);
  }

  @Command(name = "devices", description = "List the devices of a rollout.")
  int devices(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--wave", paramLabel = "NUMBER", defaultValue = "") String wave,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--outcome", paramLabel = "OUTCOME", defaultValue = "") String outcome,
      @Mixin FilterOption filter) {
    Map<String, String> query =
        Map.of("wave", wave, "state", state, "outcome", outcome, "filter", filter.expression);
    return printList(
        connectionOptions, outputOptions, path(id) + "/devices", query, RolloutFormatter::devices);
  }

  @Command(name = "failures", description = "List the first errors of a rollout by code.")
  int failures(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    return printList(
        connectionOptions,
        outputOptions,
        path(id) + "/failures",
        Map.of(),
        RolloutFormatter::failures);
  }

  @Command(
      name = "decisions",
      description = "List the decisions about a rollout and their reasons.")
  int decisions(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    return printList(
        connectionOptions,
        outputOptions,
        path(id) + "/decisions",
        Map.of(),
        RolloutFormatter::decisions);
  }

  @Command(name = "excluded", description = "List the devices that are selected but excluded.")
  int excluded(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    return printList(
        connectionOptions,
        outputOptions,
        path(id) + "/excluded",
        Map.of(),
        RolloutFormatter::excluded);
  }

  private static int printList(
      ConnectionOptions connectionOptions,
      OutputOptions outputOptions,
      String path,
      Map<String, String> query,
      Function<JsonNode, String> text) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.getAll(path, query), text);
    }
    return 0;
  }

  @Command(
      name = "update",
      sortOptions = false,
      description = "Change the given properties of a draft only.")
  int update(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin RolloutPlanOptions planOptions,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode plan = restClient.get(path(id)).path("plan");
      String path = path(id) + dryRunOption.query();
      outputOptions.printResult(
          restClient.send("PATCH", path, planOptions.toPatch(plan), ifMatchOption.headers()),
          RolloutFormatter::details);
    }
    return 0;
  }

  @Command(name = "delete", description = "Delete a draft.")
  int delete(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This deletes the draft " + id, dryRunOption);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.delete(path(id) + dryRunOption.query(), ifMatchOption.headers()),
          _ -> dryRunOption.resultText(id + " is deleted"));
    }
    return 0;
  }

  @Command(
      name = "rules",
      sortOptions = false,
      description = {
        "Show limits, thresholds and retries, or change the given ones, also while it runs.",
        "Rejected if they have been changed meanwhile."
      })
  int rules(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin RolloutRuleOptions ruleOptions,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode rollout = restClient.get(path(id));
      if (ruleOptions.isEmpty()) {
        outputOptions.printResult(
            RolloutRuleOptions.rulesOf(rollout.path("plan")), RolloutFormatter::rules);
        return 0;
      }
      Map<String, String> headers = new HashMap<>(ifMatchOption.headers());
      headers.putIfAbsent(
          "If-Match", IfMatchOption.entityTag(rollout.path("revision").asString("*")));
      headers.put("Idempotency-Key", UUID.randomUUID().toString());
      ObjectNode rules = RolloutRuleOptions.rulesOf(rollout.path("plan"));
      ruleOptions.addTo(rules);
      JsonNode changed =
          restClient.send("PUT", path(id) + "/rules" + dryRunOption.query(), rules, headers);
      outputOptions.printResult(changed, now -> RolloutFormatter.rules(now.path("plan")));
    }
    return 0;
  }

  private static String path(String id) {
    return "rollouts/" + RestClient.pathSegment(id);
  }
}
