package dev.uplift.temporaldev.demo;

import dev.uplift.cli.device.WhyCommand;
import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.scenario.SimulatedRelease;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A policy keeps the stores of a chain at the channel `stable`. The channel is moved: a canary is upgraded, then the
/// rest, but for a store whose package is pinned. A store that is added later follows. A second policy asks for another
/// version on one store, and is overruled.
final class PoliciesPart {
  private static final String OLD_VERSION = "1.0";
  private static final String NEW_VERSION = "1.1";
  private static final String CANARY = "bilbao";
  private static final String PINNED = "toledo";
  private static final String ADDED = "vigo";
  private static final String OVERRULED = "terminals-as-before";
  private static final List<String> STORES = List.of(CANARY, "sevilla", PINNED);
  private static final String POLICY = "terminals";
  private static final String PACKAGE = "terminal";
  private static final String CHANNEL = "packages/" + PACKAGE + "/channels/stable";
  private static final String HOST_PREFIX = "norte-";
  private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final DemoContext demo;
  private final Screen screen;
  private final RestClient rest;
  private Map<String, Integer> lastPrinted = Map.of();

  PoliciesPart(DemoContext demo) {
    this.demo = demo;
    this.screen = demo.screen();
    this.rest = demo.rest();
  }

  /// Returns whether every store and both policies ended as expected.
  boolean run() {
    demo.phases().run("3 stores", this::addStores);
    demo.phases().run("releases", this::publish);
    demo.phases().run("presence", () -> demo.awaitOnline(PoliciesPart::isTerminal, STORES.size()));
    demo.phases().run("policy", this::createPolicy);
    awaitCounts(POLICY, Map.of("satisfied", 3));
    demo.phases().run("pin", this::pin);
    demo.phases().run("channel", () -> moveChannel(NEW_VERSION));
    awaitCounts(POLICY, Map.of("satisfied", 2, "blocked", 1));
    demo.phases().run("a new store", this::addLateStore);
    awaitCounts(POLICY, Map.of("satisfied", 3, "blocked", 1));
    demo.phases().run("another policy", this::createOverruledPolicy);
    awaitCounts(OVERRULED, Map.of("conflict", 1));
    printWhy(PINNED);
    printWhy(CANARY);
    return report();
  }

  private static boolean isTerminal(String host) {
    return host.startsWith(HOST_PREFIX);
  }

  private String addStores() {
    for (int number = 1; number <= STORES.size(); number++) {
      addStore(STORES.get(number - 1), number);
    }
    startHosts("terminals", 1, STORES.size());
    return String.join(", ", STORES) + ", of the chain norte";
  }

  private String addLateStore() {
    addStore(ADDED, STORES.size() + 1);
    startHosts("terminal-added", STORES.size() + 1, 1);
    return ADDED + ", of the same chain, with " + PACKAGE + " " + OLD_VERSION;
  }

  private void addStore(String name, int number) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    body.putArray("hosts").add(HOST_PREFIX + "%05d".formatted(number));
    body.put("zone", "Europe/Madrid");
    body.putObject("labels").put("chain", "norte");
    var _ = rest.send("PUT", "devices/" + name, body);
  }

  private void startHosts(String process, int first, int count) {
    new SimulatedHosts(
            process, DemoContext.TENANT, HOST_PREFIX, first, count, PACKAGE, OLD_VERSION, HEARTBEAT_INTERVAL, Map.of())
        .programOn(demo.stack())
        .launch();
  }

  private String publish() {
    SigningKey key = KeyFile.readPrivate(demo.stack().secrets().releaseKeyFile());
    Map<String, String> slow = Map.of("prepare_ms", "600", "upgrade_ms", "1500");
    new SimulatedRelease(PACKAGE, OLD_VERSION, 100, slow).publish(rest, key);
    new SimulatedRelease(PACKAGE, NEW_VERSION, 110, slow).publish(rest, key);
    return "%s %s and %s; %s".formatted(PACKAGE, OLD_VERSION, NEW_VERSION, moveChannel(OLD_VERSION));
  }

  private String moveChannel(String version) {
    var _ = rest.send("PUT", CHANNEL, RestClient.JSON.createObjectNode().put("version", version));
    return "the channel stable is at " + version;
  }

  private String createPolicy() {
    ObjectNode policy = RestClient.JSON.createObjectNode();
    policy.put("package", PACKAGE).put("selection", "labels.chain == 'norte'").put("priority", 10);
    // Without the other parts, these stores are all devices.
    policy.put("everything", true);
    policy.putObject("target").put("channel", "stable");
    ArrayNode waves = policy.putObject("rollout").putArray("waves");
    waves.addObject().put("expression", "device == '" + CANARY + "'").put("soak_seconds", 2);
    waves.addObject().put("rest", true);
    enable(POLICY, policy);
    return POLICY + ": each store of norte runs what is stable, " + CANARY + " first";
  }

  private String createOverruledPolicy() {
    ObjectNode policy = RestClient.JSON.createObjectNode();
    policy.put("package", PACKAGE).put("selection", "device == '" + CANARY + "'").put("priority", 0);
    policy.putObject("target").put("version", OLD_VERSION);
    enable(OVERRULED, policy);
    return "%s: %s runs %s, with a lower priority".formatted(OVERRULED, CANARY, OLD_VERSION);
  }

  private void enable(String name, ObjectNode policy) {
    var _ = rest.send("PUT", "policies/" + name, policy);
    var _ = rest.send("POST", "policies/" + name + "/enable", RestClient.JSON.createObjectNode());
  }

  private String pin() {
    ObjectNode pin = RestClient.JSON.createObjectNode();
    pin.put("version", OLD_VERSION).put("reason", "certified by the bank");
    var _ = rest.send("PUT", "devices/%s/pins/%s".formatted(PINNED, PACKAGE), pin);
    return "%s stays at %s: certified by the bank".formatted(PINNED, OLD_VERSION);
  }

  /// Prints how a policy stands whenever that changes.
  ///
  /// @param expected number of devices by state; none are in others
  private void awaitCounts(String policy, Map<String, Integer> expected) {
    lastPrinted = Map.of();
    var _ =
        new Poller<>(() -> fetchAndPrint(policy), POLL_INTERVAL, TIMEOUT)
            .poll(expected::equals)
            .orElseThrow(last ->
                new CliException(
                    CliException.FAILED,
                    "%s has %s after %s, expected %s".formatted(policy, last, TIMEOUT, new TreeMap<>(expected))));
  }

  private Map<String, Integer> fetchAndPrint(String policy) {
    Map<String, Integer> counts = counts(policy);
    if (!counts.equals(lastPrinted)) {
      screen.printLine(
          "  %s  %s: %s"
              .formatted(TIME_OF_DAY.format(Instant.now().atZone(ZoneId.systemDefault())), policy, describe(counts)));
      lastPrinted = counts;
    }
    return counts;
  }

  private Map<String, Integer> counts(String policy) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Map.Entry<String, JsonNode> count : status(policy).path("counts").properties()) {
      if (count.getValue().asInt(0) > 0) {
        counts.put(count.getKey(), count.getValue().asInt(0));
      }
    }
    return counts;
  }

  private JsonNode status(String policy) {
    return rest.get("policies/" + policy + "/status");
  }

  private static String describe(Map<String, Integer> counts) {
    return String.join(", ", counts.entrySet().stream().map(count -> count.getValue() + " " + count.getKey()).toList());
  }

  private void printWhy(String device) {
    screen.printLine("");
    screen.printLine("  " + screen.terminal().bold("uplift why " + device));
    WhyCommand.describe(rest.get("devices/%s/why?package=%s".formatted(device, PACKAGE)))
        .lines()
        .forEach(line -> screen.printLine("    " + line));
  }

  private boolean report() {
    Map<String, String> versions = new TreeMap<>();
    rest.getAll("hosts", Map.of())
        .forEach(
            host -> versions.put(host.path("device").asString(""), host.path("versions").path(PACKAGE).asString("")));
    Map<String, JsonNode> devices = new TreeMap<>();
    rest.getAll("policies/" + POLICY + "/applies-to", Map.of())
        .forEach(device -> devices.put(device.path("device").asString(""), device));
    Table table = new Table("STORE", "VERSION", "STATE", "MESSAGE");
    List<String> problems = new ArrayList<>();
    devices.forEach((name, device) -> {
      String version = versions.getOrDefault(name, "");
      table.addRow(name, version, device.path("state").asString(""), device.path("message").asString(""));
      String expected = name.equals(PINNED) ? OLD_VERSION : NEW_VERSION;
      if (!version.equals(expected)) {
        problems.add("%s runs %s, expected %s".formatted(name, version, expected));
      }
    });
    if (!devices.keySet().equals(Set.of(CANARY, "sevilla", PINNED, ADDED))) {
      problems.add("the policy applies to " + devices.keySet());
    }
    if (!status(OVERRULED).path("overruled_by").path(0).asString("").equals(POLICY)) {
      problems.add(OVERRULED + " is not overruled by " + POLICY);
    }
    new PartConclusion(table, problems, "the stores follow the channel, one is pinned, and one policy decides")
        .print(screen);
    screen.printLine("");
    status(POLICY)
        .path("rollouts")
        .forEach(rollout ->
            screen.printLine(
                "  rollout %s to %s %s"
                    .formatted(
                        rollout.path("id").asString(""),
                        rollout.path("version").asString(""),
                        rollout.path("state").asString(""))));
    return problems.isEmpty();
  }
}
