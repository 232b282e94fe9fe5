package dev.uplift.cli.rollout;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.EventOptions;
import dev.uplift.cli.option.FilterOption;
import dev.uplift.cli.option.IfMatchOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Validates, starts, shows and controls rollouts.
@Command(
    name = "rollout",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Roll releases out to many devices, wave by wave; show and control rollouts.")
public final class RolloutCommands extends RolloutActionCommands {
  private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);
  private static final String ID_DESCRIPTION = "Id of the rollout; a repeat with the same id creates no second one.";
  private static final int ID_CHARS = 12;

  @Command(name = "create", sortOptions = false, description = "Create a rollout and start it. Prints its id.")
  int create(
      @Mixin ServerOptions server,
      @Option(names = "--id", paramLabel = "ID", description = ID_DESCRIPTION) @Nullable String id,
      @Mixin RolloutPlanOptions planOptions,
      @Option(names = "--draft", description = "Create it as a draft, which `rollout start` starts.") boolean draft,
      @Option(names = "--watch", description = "Watch it until it has ended.") boolean watch,
      @Mixin DryRunOption dryRun) {
    if (dryRun.enabled) {
      return validate(server, id, planOptions);
    }
    ObjectNode body = new RequestFields(planOptions.toJson()).put("draft", draft).json();
    try (RestClient rest = server.connect()) {
      JsonNode created = rest.send("POST", "rollouts", body, idempotencyKey(id));
      String createdId = created.path("id").asString("");
      if (watch && !draft) {
        return watch(rest, server.output(), createdId);
      }
      server.output().printResult(created, _ -> createdId);
    }
    return 0;
  }

  @Command(
      name = "validate",
      sortOptions = false,
      description = "Show the devices of each wave and the excluded devices. Creates nothing.")
  int validate(
      @Mixin ServerOptions server,
      @Option(names = "--id", paramLabel = "ID", description = ID_DESCRIPTION) @Nullable String id,
      @Mixin RolloutPlanOptions planOptions) {
    ObjectNode plan = planOptions.toJson();
    return server.print(
        rest -> rest.send("POST", "rollouts?validate=true", plan, idempotencyKey(id)), RolloutFormatter::preview);
  }

  private static Map<String, String> idempotencyKey(@Nullable String id) {
    String random = UUID.randomUUID().toString().replace("-", "").substring(0, ID_CHARS);
    return Map.of("Idempotency-Key", id == null ? "r" + random : id);
  }

  @Command(name = "list", description = "List rollouts, newest first.")
  int list(
      @Mixin ServerOptions server,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name,
      @Option(names = "--version", paramLabel = "VERSION", defaultValue = "") String version) {
    return server.printAll(
        "rollouts", Map.of("state", state, "package", name, "version", version), RolloutFormatter.LIST);
  }

  @Command(name = "show", description = "Show one rollout with its waves.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id) {
    return server.print(rest -> rest.get(path(id)), RolloutFormatter::details);
  }

  @Command(
      name = "watch",
      description = {
        "Show the progress of a rollout until it has ended, with a bar per wave.",
        "Exit code: 0 if every device then runs the release, else 3."
      })
  int watch(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id) {
    try (RestClient rest = server.connect()) {
      return watch(rest, server.output(), id);
    }
  }

  private static int watch(RestClient rest, OutputOptions output, String id) {
    // With --json only the final state goes to standard output.
    Screen screen = new Screen(output.asJson ? System.err : System.out, Terminal.detect());
    RolloutResponse ended = new RolloutWatcher(rest, screen, RECONNECT_DELAY).awaitEnd(id);
    output.printResult(ended.json(), _ -> ended.outcome() + ": " + ended.counts().summary());
    return ended.hasSucceeded() ? 0 : CliException.UNSUCCESSFUL_OUTCOME;
  }

  @Command(name = "events", description = "Print the events of a rollout as lines of JSON, until it has ended.")
  int events(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id, @Mixin EventOptions events) {
    return events.printEvents(server, path(id));
  }

  @Command(name = "waves", description = "List the waves of a rollout.")
  int waves(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id) {
    return server.printAll(path(id) + "/waves", Map.of(), RolloutFormatter.WAVES);
  }

  @Command(name = "devices", description = "List the devices of a rollout.")
  int devices(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--wave", paramLabel = "NUMBER", defaultValue = "") String wave,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--outcome", paramLabel = "OUTCOME", defaultValue = "") String outcome,
      @Mixin FilterOption filter) {
    return server.printAll(
        path(id) + "/devices",
        Map.of("wave", wave, "state", state, "outcome", outcome, "filter", filter.expression),
        RolloutFormatter.DEVICES);
  }

  @Command(name = "failures", description = "List the first errors of a rollout by code.")
  int failures(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id) {
    return server.printAll(path(id) + "/failures", Map.of(), RolloutFormatter.FAILURES);
  }

  @Command(name = "decisions", description = "List the decisions about a rollout and their reasons.")
  int decisions(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id) {
    return server.printAll(path(id) + "/decisions", Map.of(), RolloutFormatter.DECISIONS);
  }

  @Command(name = "excluded", description = "List the devices that are selected but excluded.")
  int excluded(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id) {
    return server.printAll(path(id) + "/excluded", Map.of(), RolloutFormatter.EXCLUDED);
  }

  @Command(name = "update", sortOptions = false, description = "Change the given properties of a draft only.")
  int update(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "ID") String id,
      @Mixin RolloutPlanOptions planOptions,
      @Mixin ChangeOptions change) {
    return server.print(
        rest -> {
          ObjectNode patch = planOptions.toPatch(rest.get(path(id)).path("plan"));
          return rest.send("PATCH", path(id) + change.query(), patch, change.headers());
        },
        RolloutFormatter::details);
  }

  @Command(name = "delete", description = "Delete a draft.")
  int delete(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "ID") String id,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This deletes the draft " + id, change.dryRun());
    return server.print(
        rest -> rest.delete(path(id) + change.query(), change.headers()), change.result(id + " is deleted"));
  }

  @Command(
      name = "rules",
      sortOptions = false,
      description = {
        "Show limits, thresholds and retries, or change the given ones, also while it runs.",
        "Rejected if they have been changed meanwhile."
      })
  int rules(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "ID") String id,
      @Mixin RolloutRuleOptions ruleOptions,
      @Mixin ChangeOptions change) {
    try (RestClient rest = server.connect()) {
      JsonNode rollout = rest.get(path(id));
      ObjectNode rules = RolloutRuleOptions.rulesOf(rollout.path("plan"));
      if (ruleOptions.isEmpty()) {
        server.output().printResult(rules, RolloutFormatter::rules);
        return 0;
      }
      Map<String, String> headers = new HashMap<>(change.headers());
      headers.putIfAbsent("If-Match", IfMatchOption.entityTag(rollout.path("revision").asString("*")));
      headers.put("Idempotency-Key", UUID.randomUUID().toString());
      ruleOptions.addTo(rules);
      JsonNode changed = rest.send("PUT", path(id) + "/rules" + change.query(), rules, headers);
      server.output().printResult(changed, now -> RolloutFormatter.rules(now.path("plan")));
    }
    return 0;
  }

  private static String path(String id) {
    return "rollouts/" + RestClient.pathSegment(id);
  }
}
