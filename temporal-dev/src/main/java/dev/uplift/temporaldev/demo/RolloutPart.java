package dev.uplift.temporaldev.demo;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.cli.rollout.RolloutFormatter;
import dev.uplift.cli.rollout.RolloutResponse;
import dev.uplift.cli.rollout.RolloutWatcher;
import dev.uplift.cli.text.Screen;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.scenario.SimulatedRelease;
import dev.uplift.temporaldev.stack.StackProgram;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Rolls a release out to twelve stores in three waves. Two stores of the second wave lack a licence, so the rollout
/// pauses by itself; after the repair it resumes. The third wave waits for the window of its stores.
final class RolloutPart {
  private static final String ID = "till-2-5";
  private static final String PACKAGE = "till";
  private static final String INITIAL_VERSION = "2.4.0";
  private static final String HOST_PREFIX = "store-";

  /// Several times shorter than the silence threshold of the demo's server.
  private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);

  private static final Duration RECONNECT_DELAY = Duration.ofMillis(250);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  /// Several times as long as a server takes to write what it heard of hosts.
  private static final Duration VERSIONS_TIMEOUT = Duration.ofSeconds(20);

  /// Gives a person time to read.
  private static final Duration READING_PAUSE = Duration.ofSeconds(5);

  /// Windows open at full minutes.
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm");

  private final DemoContext demo;
  private final Screen screen;
  private final RestClient rest;
  private final Instant windowOpens;
  private final List<DemoStore> stores = DemoStore.all();

  RolloutPart(DemoContext demo, Duration windowAfter) {
    this.demo = demo;
    this.screen = demo.screen();
    this.rest = demo.rest();
    this.windowOpens = windowOpening(Instant.now(), windowAfter);
  }

  /// Returns the full minute in the future that is nearest to the requested time.
  static Instant windowOpening(Instant now, Duration after) {
    Instant requested = now.plus(after).plus(HALF_A_MINUTE).truncatedTo(ChronoUnit.MINUTES);
    Instant next = now.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
    return requested.isBefore(next) ? next : requested;
  }

  /// Returns whether everything ended as expected.
  boolean run() {
    StackProgram broken = simulator("stores-broken", true, Map.of("fail_upgrade", "final licence-missing"));
    demo.phases().run("12 hosts", () -> startHosts(broken));
    demo.phases().run("stores", this::addStores);
    demo.phases().run("release", this::publish);
    demo.phases().run("presence", () -> demo.awaitOnline(RolloutPart::isStore, DemoStore.COUNT));
    create();
    printTimes();
    var watch = new RolloutWatcher(rest, screen, RECONNECT_DELAY);
    RolloutResponse paused = watch.awaitState(ID, RolloutPart::isPausedAndIdle);
    if (!paused.hasEnded()) {
      printFailures();
      Sleeper.sleep(screen.terminal().supportsRedraw() ? READING_PAUSE : Duration.ZERO);
      demo.phases().run("the fix", () -> repair(broken));
      retryAndResume();
    }
    RolloutResponse ended = watch.awaitEnd(ID);
    awaitVersions();
    var report = RolloutReport.of(rest, ID, stores, windowOpens);
    report.print(screen, ended);
    return report.problems().isEmpty();
  }

  /// Waits for the list of hosts, whose versions are seconds late. After the timeout the report says which are wrong.
  private void awaitVersions() {
    var _ =
        new Poller<>(() -> RolloutReport.versions(rest), POLL_INTERVAL, VERSIONS_TIMEOUT)
            .poll(this::allStoresRunTheRelease);
  }

  private boolean allStoresRunTheRelease(Map<String, String> versions) {
    return stores.stream().allMatch(demoStore -> RolloutReport.VERSION.equals(versions.get(demoStore.name())));
  }

  private static boolean isPausedAndIdle(RolloutResponse rollout) {
    return rollout.state().equals("paused") && rollout.counts().inProgress() == 0;
  }

  private static boolean isStore(String host) {
    return host.startsWith(HOST_PREFIX);
  }

  private StackProgram simulator(String process, boolean isBroken, Map<String, String> driverSettings) {
    List<DemoStore> simulated = stores.stream().filter(demoStore -> demoStore.isBroken() == isBroken).toList();
    int first = simulated.getFirst().number();
    return new SimulatedHosts(
            process,
            DemoContext.TENANT,
            HOST_PREFIX,
            first,
            simulated.size(),
            PACKAGE,
            INITIAL_VERSION,
            HEARTBEAT_INTERVAL,
            driverSettings)
        .programOn(demo.stack());
  }

  private String startHosts(StackProgram broken) {
    simulator("stores", false, Map.of()).launch();
    broken.launch();
    return "simulated, with the real agent code";
  }

  private String addStores() {
    for (DemoStore demoStore : stores) {
      ObjectNode body = RestClient.JSON.createObjectNode();
      body.putArray("hosts").add(HOST_PREFIX + "%05d".formatted(demoStore.number()));
      body.put("zone", demoStore.zone());
      ObjectNode labels = body.putObject("labels");
      labels.put("kind", "store").put("region", demoStore.region());
      if (demoStore.isCanary()) {
        labels.put("ring", "canary");
      }
      var _ = rest.send("PUT", "devices/" + demoStore.name(), body);
    }
    ObjectNode body = RestClient.JSON.createObjectNode();
    ObjectNode window = body.putArray("windows").addObject();
    ArrayNode days = window.putArray("days_of_week");
    List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun").forEach(days::add);
    window.put("start_time", localTime(windowOpens)).put("timezone", "site-local").put("duration", "2h");
    var _ = rest.send("PUT", "label-windows/region/" + DemoStore.PACIFIC, body);
    return "%d in Europe, %d in New Zealand, where maintenance begins at %s"
        .formatted(
            stores.stream().filter(demoStore -> !demoStore.hasWindow()).count(),
            stores.stream().filter(DemoStore::hasWindow).count(),
            localTime(windowOpens));
  }

  private String publish() {
    SigningKey key = KeyFile.readPrivate(demo.stack().secrets().releaseKeyFile());
    new SimulatedRelease(PACKAGE, INITIAL_VERSION, 240, Map.of()).publish(rest, key);
    Map<String, String> slow = Map.of("prepare_ms", "600", "upgrade_ms", "1500");
    new SimulatedRelease(PACKAGE, RolloutReport.VERSION, 250, slow).publish(rest, key);
    return PACKAGE + " " + RolloutReport.VERSION;
  }

  private void create() {
    ObjectNode plan = RestClient.JSON.createObjectNode();
    plan.put("title", "the new till, everywhere");
    plan.put("package", PACKAGE).put("version", RolloutReport.VERSION);
    // Without the other parts, the stores are all devices.
    plan.put("selection", "labels.kind == 'store'").put("everything", true);
    ArrayNode waves = plan.putArray("waves");
    waves.addObject().put("expression", "labels.ring == 'canary'").put("soak_seconds", 3);
    waves.addObject().put("expression", "labels.region == 'europe'");
    waves.addObject().put("rest", true);
    plan.putObject("limits").put("max_parallel", 3);
    plan.putObject("thresholds").put("failures", 2).putNull("failure_percent");
    plan.putObject("window").put("required_time_seconds", 60);
    var _ = rest.send("POST", "rollouts", plan, Map.of("Idempotency-Key", ID));
  }

  private void printTimes() {
    screen.printLine("");
    screen.printLine(
        "  It is %s here and %s in Auckland. Europe is open at any time; New Zealand opens at %s."
            .formatted(
                MINUTE.format(Instant.now().atZone(ZoneId.systemDefault())),
                localTime(Instant.now()),
                localTime(windowOpens)));
    screen.printLine("");
  }

  private static String localTime(Instant at) {
    return MINUTE.format(at.atZone(ZoneId.of(DemoStore.PACIFIC_ZONE)));
  }

  private void printFailures() {
    screen.printLine("");
    screen.printLine("  " + screen.terminal().yellow("The rollout has paused by itself. Failures:"));
    String failures = RolloutFormatter.FAILURES.apply(rest.get("rollouts/" + ID + "/failures").path("items"));
    failures.lines().forEach(line -> screen.printLine("    " + line));
    screen.printLine("");
  }

  /// Restarts the two stores with their licences.
  private String repair(StackProgram broken) {
    broken.stop();
    simulator("stores-repaired", true, Map.of()).launch();
    var _ = demo.awaitOnline(RolloutPart::isStore, DemoStore.COUNT);
    return "malmo and turin have their licences now; next: retry-failed, resume";
  }

  private void retryAndResume() {
    ObjectNode body = RestClient.JSON.createObjectNode().put("reason", "the licences are there");
    for (String action : List.of("retry-failed", "resume")) {
      var result = rest.send("POST", "rollouts/" + ID + "/" + action, body);
      screen.printLine("  " + action + ": " + result.path("message").asString(""));
    }
    screen.printLine("");
  }
}
