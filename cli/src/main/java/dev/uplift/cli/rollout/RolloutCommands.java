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

/// Rollouts: checked, started, shown, steered.
@Command(
    name = "rollout",
    synopsisSubcommandLabel = "COMMAND",
    description = "Brings releases to many devices, wave by wave; shows and steers that.")
public final class RolloutCommands extends RolloutActionCommands {
  private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);

  @Command(
      name = "create",
      sortOptions = false,
      description = "Makes a rollout and starts it. Prints its id.")
  int create(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutIdOption name,
      @Mixin RolloutPlanOptions wishes,
      @Option(names = "--draft", description = "Does nothing until `rollout start`.") boolean draft,
      @Option(names = "--watch", description = "Stays until it has ended.") boolean watch,
      @Mixin DryRunOption dryRunOption) {
    if (dryRunOption.enabled) {
      return validate(connectionOptions, outputOptions, name, wishes);
    }
    ObjectNode body = wishes.toJson();
    if (draft) {
      body.put("draft", true);
    }
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode made = postPlan(restClient, "rollouts", name.idOrGenerated(), body);
      String id = made.path("id").asString("");
      if (watch && !draft) {
        return watch(restClient, outputOptions, id);
      }
      outputOptions.printResult(made, _ -> id);
    }
    return 0;
  }

  @Command(
      name = "validate",
      sortOptions = false,
      description = "Says who would be in which wave, and who would be left out. Makes nothing.")
  int validate(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutIdOption name,
      @Mixin RolloutPlanOptions wishes) {
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode preview =
          postPlan(restClient, "rollouts?validate=true", name.idOrGenerated(), wishes.toJson());
      outputOptions.printResult(preview, RolloutFormatter::preview);
    }
    return 0;
  }

  private static JsonNode postPlan(RestClient restClient, String path, String id, ObjectNode body) {
    return restClient.send("POST", path, body, Map.of("Idempotency-Key", id));
  }

  @Command(name = "list", description = "Rollouts, newest first.")
  int list(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name,
      @Option(names = "--version", paramLabel = "VERSION", defaultValue = "") String version) {
    Map<String, String> wanted = Map.of("state", state, "package", name, "version", version);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.getAll("rollouts", wanted), RolloutFormatter::list);
    }
    return 0;
  }

  @Command(name = "show", description = "One rollout, with its waves.")
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
        "Shows a rollout until it has ended, with a bar per wave.",
        "Ends with 0 when every device runs the release then, else with 3."
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
    // With --json the last word alone goes to the output.
    Screen screen = new Screen(outputOptions.asJson ? System.err : System.out, Terminal.detect());
    RolloutResponse ended = new RolloutWatcher(restClient, screen, RECONNECT_DELAY).awaitEnd(id);
    outputOptions.printResult(ended.json(), _ -> ended.outcome() + ": " + ended.counts().summary());
    return ended.hasSucceeded() ? 0 : CliException.UNSUCCESSFUL_OUTCOME;
  }

  @Command(
      name = "events",
      description = "What happens to a rollout, a line of JSON each, until it has ended.")
  int events(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin EventOptions wishes) {
    return wishes.printEvents(connectionOptions, outputOptions, path(id));
  }

  @Command(name = "waves", description = "The waves of a rollout.")
  int waves(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    return printList(
        connectionOptions, outputOptions, path(id) + "/waves", Map.of(), RolloutFormatter::waves);
  }

  @Command(name = "devices", description = "The devices of a rollout.")
  int devices(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--wave", paramLabel = "NUMBER", defaultValue = "") String wave,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--outcome", paramLabel = "OUTCOME", defaultValue = "") String outcome,
      @Mixin FilterOption filter) {
    Map<String, String> wanted =
        Map.of("wave", wave, "state", state, "outcome", outcome, "filter", filter.expression);
    return printList(
        connectionOptions, outputOptions, path(id) + "/devices", wanted, RolloutFormatter::devices);
  }

  @Command(name = "failures", description = "The first errors of a rollout, by their codes.")
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

  @Command(name = "decisions", description = "What was decided about a rollout, and why.")
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

  @Command(name = "left-out", description = "Who was selected and takes no part.")
  int excluded(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    return printList(
        connectionOptions,
        outputOptions,
        path(id) + "/left-out",
        Map.of(),
        RolloutFormatter::excluded);
  }

  private static int printList(
      ConnectionOptions connectionOptions,
      OutputOptions outputOptions,
      String path,
      Map<String, String> wanted,
      Function<JsonNode, String> text) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.getAll(path, wanted), text);
    }
    return 0;
  }

  @Command(
      name = "change",
      sortOptions = false,
      description = "Changes what is said here of a draft, and nothing else.")
  int update(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin RolloutPlanOptions wishes,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode plan = restClient.get(path(id)).path("plan");
      String path = path(id) + dryRunOption.query();
      outputOptions.printResult(
          restClient.send("PATCH", path, wishes.toPatch(plan), ifMatchOption.headers()),
          RolloutFormatter::details);
    }
    return 0;
  }

  @Command(name = "delete", description = "Takes a draft away.")
  int delete(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This takes the draft " + id + " away", dryRunOption);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.delete(path(id) + dryRunOption.query(), ifMatchOption.headers()),
          _ -> dryRunOption.resultText(id + " is gone"));
    }
    return 0;
  }

  @Command(
      name = "rules",
      sortOptions = false,
      description = {
        "Shows limits, thresholds and retries, or changes those that are said here, also while it runs.",
        "Refused if somebody else has changed them in the meantime."
      })
  int rules(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin RolloutRuleOptions wishes,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    try (RestClient restClient = connectionOptions.connect()) {
      JsonNode found = restClient.get(path(id));
      if (wishes.isEmpty()) {
        outputOptions.printResult(
            RolloutRuleOptions.rulesOf(found.path("plan")), RolloutFormatter::rules);
        return 0;
      }
      Map<String, String> headers = new HashMap<>(ifMatchOption.headers());
      headers.putIfAbsent(
          "If-Match", IfMatchOption.entityTag(found.path("revision").asString("*")));
      headers.put("Idempotency-Key", UUID.randomUUID().toString());
      ObjectNode rules = RolloutRuleOptions.rulesOf(found.path("plan"));
      wishes.addTo(rules);
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
