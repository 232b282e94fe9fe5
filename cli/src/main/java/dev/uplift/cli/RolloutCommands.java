package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.rollout.RolloutText;
import dev.uplift.cli.rollout.RolloutView;
import dev.uplift.cli.rollout.RolloutWatch;
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
final class RolloutCommands extends RolloutSteering {
  private static final Duration LOOK = Duration.ofSeconds(1);

  @Command(
      name = "create",
      sortOptions = false,
      description = "Makes a rollout and starts it. Prints its id.")
  int create(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutName name,
      @Mixin RolloutWishes wishes,
      @Option(names = "--draft", description = "Does nothing until `rollout start`.") boolean draft,
      @Option(names = "--watch", description = "Stays until it has ended.") boolean watch,
      @Mixin DryRun dryRun) {
    if (dryRun.only) {
      return validate(connection, output, name, wishes);
    }
    ObjectNode body = wishes.body();
    if (draft) {
      body.put("draft", true);
    }
    try (Rest rest = connection.open()) {
      JsonNode made = post(rest, "rollouts", name.value(), body);
      String id = made.path("id").asString("");
      if (watch && !draft) {
        return watch(rest, output, id);
      }
      output.show(made, _ -> id);
    }
    return 0;
  }

  @Command(
      name = "validate",
      sortOptions = false,
      description = "Says who would be in which wave, and who would be left out. Makes nothing.")
  int validate(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutName name,
      @Mixin RolloutWishes wishes) {
    try (Rest rest = connection.open()) {
      JsonNode preview = post(rest, "rollouts?validate=true", name.value(), wishes.body());
      output.show(preview, RolloutText::preview);
    }
    return 0;
  }

  private static JsonNode post(Rest rest, String path, String id, ObjectNode body) {
    return rest.send("POST", path, body, Map.of("Idempotency-Key", id));
  }

  @Command(name = "list", description = "Rollouts, newest first.")
  int list(
      @Mixin Connection connection,
      @Mixin Output output,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name,
      @Option(names = "--version", paramLabel = "VERSION", defaultValue = "") String version) {
    Map<String, String> wanted = Map.of("state", state, "package", name, "version", version);
    try (Rest rest = connection.open()) {
      output.show(rest.all("rollouts", wanted), RolloutText::list);
    }
    return 0;
  }

  @Command(name = "show", description = "One rollout, with its waves.")
  int show(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(path(id)), RolloutText::page);
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
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    try (Rest rest = connection.open()) {
      return watch(rest, output, id);
    }
  }

  private static int watch(Rest rest, Output output, String id) {
    // With --json the last word alone goes to the output.
    Screen screen = new Screen(output.json ? System.err : System.out, Terminal.here());
    RolloutView ended = new RolloutWatch(rest, screen, LOOK).untilEnded(id);
    output.show(ended.whole(), _ -> ended.outcome() + ": " + ended.counts().inWords());
    return ended.isThere() ? 0 : CommandFailed.OTHER_OUTCOME;
  }

  @Command(
      name = "events",
      description = "What happens to a rollout, a line of JSON each, until it has ended.")
  int events(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id,
      @Mixin EventWishes wishes) {
    return wishes.follow(connection, output, path(id));
  }

  @Command(name = "waves", description = "The waves of a rollout.")
  int waves(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    return part(connection, output, path(id) + "/waves", Map.of(), RolloutText::waves);
  }

  @Command(name = "devices", description = "The devices of a rollout.")
  int devices(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--wave", paramLabel = "NUMBER", defaultValue = "") String wave,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--outcome", paramLabel = "OUTCOME", defaultValue = "") String outcome,
      @Mixin FilterWish filter) {
    Map<String, String> wanted =
        Map.of("wave", wave, "state", state, "outcome", outcome, "filter", filter.expression);
    return part(connection, output, path(id) + "/devices", wanted, RolloutText::devices);
  }

  @Command(name = "failures", description = "The first errors of a rollout, by their codes.")
  int failures(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    return part(connection, output, path(id) + "/failures", Map.of(), RolloutText::failures);
  }

  @Command(name = "decisions", description = "What was decided about a rollout, and why.")
  int decisions(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    return part(connection, output, path(id) + "/decisions", Map.of(), RolloutText::decisions);
  }

  @Command(name = "left-out", description = "Who was selected and takes no part.")
  int leftOut(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    return part(connection, output, path(id) + "/left-out", Map.of(), RolloutText::leftOut);
  }

  private static int part(
      Connection connection,
      Output output,
      String path,
      Map<String, String> wanted,
      Function<JsonNode, String> text) {
    try (Rest rest = connection.open()) {
      output.show(rest.all(path, wanted), text);
    }
    return 0;
  }

  @Command(
      name = "change",
      sortOptions = false,
      description = "Changes what is said here of a draft, and nothing else.")
  int change(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id,
      @Mixin RolloutWishes wishes,
      @Mixin Match match,
      @Mixin DryRun dryRun) {
    try (Rest rest = connection.open()) {
      JsonNode plan = rest.get(path(id)).path("plan");
      String path = path(id) + dryRun.query();
      output.show(rest.send("PATCH", path, wishes.over(plan), match.headers()), RolloutText::page);
    }
    return 0;
  }

  @Command(name = "delete", description = "Takes a draft away.")
  int delete(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id,
      @Mixin Match match,
      @Mixin DryRun dryRun,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This takes the draft " + id + " away", dryRun);
    try (Rest rest = connection.open()) {
      output.show(
          rest.delete(path(id) + dryRun.query(), match.headers()),
          _ -> dryRun.said(id + " is gone"));
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
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id,
      @Mixin RuleWishes wishes,
      @Mixin Match match,
      @Mixin DryRun dryRun) {
    try (Rest rest = connection.open()) {
      JsonNode found = rest.get(path(id));
      if (wishes.isEmpty()) {
        output.show(RuleWishes.of(found.path("plan")), RolloutText::rules);
        return 0;
      }
      Map<String, String> headers = new HashMap<>(match.headers());
      headers.putIfAbsent("If-Match", Match.tag(found.path("revision").asString("*")));
      headers.put("Idempotency-Key", UUID.randomUUID().toString());
      ObjectNode rules = RuleWishes.of(found.path("plan"));
      wishes.addTo(rules);
      JsonNode changed = rest.send("PUT", path(id) + "/rules" + dryRun.query(), rules, headers);
      output.show(changed, now -> RolloutText.rules(now.path("plan")));
    }
    return 0;
  }

  private static String path(String id) {
    return "rollouts/" + Rest.segment(id);
  }
}
