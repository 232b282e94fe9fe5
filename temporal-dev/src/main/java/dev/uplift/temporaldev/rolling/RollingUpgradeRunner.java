package dev.uplift.temporaldev.rolling;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.programs.PreviousBuild;
import dev.uplift.temporaldev.programs.ProgramLocator;
import dev.uplift.temporaldev.rolling.RollingUpgradeReport.Replacement;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.RepeatedSteps;
import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.scenario.SimulatedRelease;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.UpliftServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Replaces the servers of a cluster one by one, from an earlier build to today's, back, and to today's again, while
/// upgrades and rollouts run. Then looks whether each device was upgraded once, and whether a server failed a workflow
/// task, or had to be killed because it did not end.
public final class RollingUpgradeRunner {
  private static final String TENANT = "rolling";
  private static final String PACKAGE = "till";
  private static final String GROUP = "group";
  private static final String ALONE = "alone";
  private static final String WANTED = "2.0";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final Map<String, String> PAGES = Map.of("limit", "1000");
  private static final List<Boolean> TO_NEW = List.of(true, false, true);

  /// In how many batches a rollout takes its devices: enough for all replacements.
  private static final int BATCHES = 20;

  private static final String FAILED_TASKS = "temporal_workflow_task_execution_failed_total";

  private final Stack stack;
  private final PhaseReporter phases;
  private final PreviousBuild previous;
  private final String previousClassPath;
  private final RollingUpgradeOptions options;
  private final SimulatedHosts hosts;
  private final HttpClient http = HttpClient.newHttpClient();
  private long failedTasks;
  private int startedAlone;

  /// @param stack a cluster, not started yet
  /// @param previousClassPath of its server
  public RollingUpgradeRunner(
      Stack stack,
      PhaseReporter phases,
      PreviousBuild previous,
      String previousClassPath,
      RollingUpgradeOptions options) {
    this.stack = stack;
    this.phases = phases;
    this.previous = previous;
    this.previousClassPath = previousClassPath;
    this.options = options;
    int count = options.upgrades() + options.rollouts() * options.devices();
    hosts = new SimulatedHosts("simulator", TENANT, "sim-", 0, count, PACKAGE, "1.0", Duration.ofSeconds(10), Map.of());
  }

  /// Blocks until all work has ended.
  public RollingUpgradeReport run() {
    stack.servers().forEach(server -> server.withClassPath(previousClassPath));
    var starter = new StackStarter(stack, phases);
    starter.start();
    try (http;
        RestClient rest = starter.openTenant(TENANT)) {
      phases.run("devices", () -> addDevices(rest));
      phases.run(
          "hosts",
          () -> {
            hosts.programOn(stack).start();
            return HostPresenceAwaiter.awaitOnline(rest, name -> name.startsWith("sim-"), hosts.count(), TIMEOUT);
          });
      return run(rest);
    }
  }

  private RollingUpgradeReport run(RestClient rest) {
    Instant begin = Instant.now();
    new SimulatedRelease(PACKAGE, WANTED, 2, Map.of("prepare_ms", "1000", "upgrade_ms", options.seconds() + "000"))
        .publish(rest, KeyFile.readPrivate(stack.secrets().releaseKeyFile()));
    for (int number = 0; number < options.rollouts(); number++) {
      startRollout(rest, "rollout-" + number);
    }
    List<Replacement> replacements = new ArrayList<>();
    int steps = TO_NEW.size() * stack.servers().size();
    for (boolean toNew : TO_NEW) {
      for (UpliftServer server : stack.servers()) {
        startUpgrades(rest, options.upgrades() * (replacements.size() + 1) / steps);
        phases.run(
            "%s is %s".formatted(server.name(), toNew ? "new" : "old"),
            () -> {
              replacements.add(replace(rest, server, toNew));
              return "%d in progress".formatted(replacements.getLast().inProgress());
            });
      }
    }
    List<String> problems = new ArrayList<>();
    phases.run("all ended", () -> awaitEnd(rest));
    stack.servers().forEach(this::countFailedTasks);
    phases.run("inspected", () -> inspect(rest, problems));
    problems.addAll(0, problemsOf(replacements));
    return new RollingUpgradeReport(
        options,
        previous.title(),
        List.copyOf(replacements),
        failedTasks,
        Duration.between(begin, Instant.now()),
        problems);
  }

  private String addDevices(RestClient rest) {
    List<String> names = hosts.hostNames();
    IntStream.range(0, names.size())
        .parallel()
        .forEach(number -> {
          ObjectNode body = RestClient.JSON.createObjectNode();
          body.putArray("hosts").add(names.get(number));
          body.putObject("labels").put(GROUP, groupOf(number));
          var _ = rest.send("PUT", "devices/" + names.get(number), body);
        });
    return Integer.toString(names.size());
  }

  private String groupOf(int number) {
    int beyond = number - options.upgrades();
    return beyond < 0 ? ALONE : "rollout-" + beyond / options.devices();
  }

  private void startRollout(RestClient rest, String id) {
    ObjectNode plan = RestClient.JSON.createObjectNode();
    plan.put("package", PACKAGE).put("version", WANTED);
    plan.put("selection", "labels.%s == '%s'".formatted(GROUP, id));
    plan.putArray("waves").addObject().put("rest", true);
    plan.putObject("limits").put("max_parallel", Math.max(1, options.devices() / BATCHES));
    var _ = rest.send("POST", "rollouts", plan, Map.of("Idempotency-Key", id));
  }

  /// Starts upgrades of single devices until there were that many.
  private void startUpgrades(RestClient rest, int upTo) {
    ObjectNode body = RestClient.JSON.createObjectNode().put("package", PACKAGE).put("version", WANTED);
    for (; startedAlone < upTo; startedAlone++) {
      String device = hosts.hostNames().get(startedAlone);
      var _ =
          rest.send("POST", "devices/" + device + "/upgrades", body, Map.of("Idempotency-Key", "upgrade-" + device));
    }
  }

  private Replacement replace(RestClient rest, UpliftServer server, boolean toNew) {
    int inProgress = countUpgrades(rest, outcome -> outcome.isEmpty());
    Instant begin = Instant.now();
    countFailedTasks(server);
    server.stop();
    server.withClassPath(toNew ? ProgramLocator.serverClassPath() : previousClassPath).start();
    return new Replacement(
        server.name(), toNew, inProgress, server.lastStop().orElseThrow(), Duration.between(begin, Instant.now()));
  }

  /// Adds what the server has counted since its start. A server that has failed none may not have the counter yet.
  private void countFailedTasks(UpliftServer server) {
    try {
      failedTasks +=
          http.send(HttpRequest.newBuilder(URI.create(server.url() + "/prometheus")).build(), BodyHandlers.ofString())
              .body()
              .lines()
              .filter(line -> line.startsWith(FAILED_TASKS))
              .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
              .sum();
    } catch (IOException e) {
      throw new CliException(CliException.FAILED, "cannot read the metrics of %s: %s".formatted(server.name(), e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.FAILED, "interrupted: metrics", e);
    }
  }

  private static int countUpgrades(RestClient rest, Predicate<String> outcome) {
    return (int) upgrades(rest).stream().map(upgrade -> upgrade.path("outcome").asString("")).filter(outcome).count();
  }

  private static List<JsonNode> upgrades(RestClient rest) {
    return rest.getAll("upgrades", PAGES).valueStream().toList();
  }

  private String awaitEnd(RestClient rest) {
    Poller.PollResult<Integer> ended =
        new Poller<>(() -> countUpgrades(rest, outcome -> !outcome.isEmpty()), POLL_INTERVAL, TIMEOUT)
            .withProgress(Integer::intValue)
            .poll(count -> count >= hosts.count() && haveRolloutsEnded(rest));
    return ended.isFulfilled()
        ? ended.last() + " upgrades"
        : "no progress for %d min: %d of %d upgrades ended".formatted(TIMEOUT.toMinutes(), ended.last(), hosts.count());
  }

  private boolean haveRolloutsEnded(RestClient rest) {
    return IntStream.range(0, options.rollouts())
        .mapToObj(number -> rest.get("rollouts/rollout-" + number).path("state").asString(""))
        .allMatch("ended"::equals);
  }

  // --- what must hold ---------------------------------------------------------------------------------

  private List<String> problemsOf(List<Replacement> replacements) {
    List<String> problems = new ArrayList<>();
    replacements.forEach(each -> problems.addAll(each.problems()));
    if (failedTasks > 0) {
      problems.add("expected no failed workflow task, found %d".formatted(failedTasks));
    }
    return problems;
  }

  private String inspect(RestClient rest, List<String> problems) {
    List<JsonNode> upgrades = upgrades(rest);
    Map<String, List<String>> outcomes =
        upgrades.stream()
            .collect(
                Collectors.groupingBy(
                    upgrade -> upgrade.path("device").asString(""),
                    Collectors.mapping(upgrade -> upgrade.path("outcome").asString(""), Collectors.toList())));
    hosts.hostNames().stream()
        .filter(device -> !outcomes.getOrDefault(device, List.of()).equals(List.of("upgraded")))
        .map(device -> "%s: expected one upgrade that succeeded, found %s".formatted(device, outcomes.get(device)))
        .forEach(problems::add);
    IntStream.range(0, options.rollouts())
        .mapToObj(number -> rest.get("rollouts/rollout-" + number))
        .filter(rollout -> !rollout.path("outcome").asString("").equals("upgraded"))
        .map(rollout ->
            "%s: expected it to end as upgraded, found %s %s"
                .formatted(rollout.path("id"), rollout.path("state"), rollout.path("outcome")))
        .forEach(problems::add);
    upgrades.parallelStream()
        .map(upgrade -> RepeatedSteps.problems(rest, upgrade.path("id").asString("")))
        .toList()
        .forEach(problems::addAll);
    return upgrades.size() + " upgrades";
  }
}
