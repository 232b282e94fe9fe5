package dev.uplift.cli.demo;

import dev.uplift.cli.local.Heard;
import dev.uplift.cli.local.Pause;
import dev.uplift.cli.local.Phases;
import dev.uplift.cli.local.SimulatedHosts;
import dev.uplift.cli.local.SimulatedRelease;
import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.rollout.RolloutText;
import dev.uplift.cli.rollout.RolloutView;
import dev.uplift.cli.rollout.RolloutWatch;
import dev.uplift.cli.text.Screen;
import dev.uplift.temporaldev.Program;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Twelve stores in three waves. The second wave meets two stores without a licence, and stops by
/// itself; they get one, and it goes on. The third waits for the window of its stores.
final class RolloutPart {
  private static final String ID = "till-2-5";
  private static final String PACKAGE = "till";
  private static final String BEFORE = "2.4.0";
  private static final String HOSTS = "store-";

  /// A few of them within the time after which the demo's server takes a host for silent.
  private static final Duration BEAT = Duration.ofSeconds(5);

  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(250);

  /// For who looks on; a script has read it at once.
  private static final Duration TO_READ = Duration.ofSeconds(5);

  /// Windows open at full minutes.
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm");

  private final Stack stack;
  private final Screen screen;
  private final Phases phases;
  private final Rest rest;
  private final Instant opens;
  private final List<Store> stores = Store.all();

  RolloutPart(Stack stack, Screen screen, Phases phases, Rest rest, Duration windowAfter) {
    this.stack = stack;
    this.screen = screen;
    this.phases = phases;
    this.rest = rest;
    this.opens = opening(Instant.now(), windowAfter);
  }

  /// The full minute nearest to the wish, of those to come.
  static Instant opening(Instant now, Duration after) {
    Instant wished = now.plus(after).plus(HALF_A_MINUTE).truncatedTo(ChronoUnit.MINUTES);
    Instant next = now.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
    return wished.isBefore(next) ? next : wished;
  }

  /// Returns whether all of it went as it should.
  boolean play() {
    Program broken =
        simulator("stores-broken", true, Map.of("fail_upgrade", "final licence-missing"));
    phases.run("12 hosts", () -> startHosts(broken));
    phases.run("stores", this::addStores);
    phases.run("release", this::publish);
    phases.run("presence", () -> Heard.await(rest, RolloutPart::isStore, Store.ALL, READY));
    create();
    sayTheTime();
    var watch = new RolloutWatch(rest, screen, LOOK);
    RolloutView paused = watch.until(ID, RolloutPart::hasStopped);
    if (!paused.hasEnded()) {
      sayWhyItStopped();
      Pause.of(screen.terminal().redraws() ? TO_READ : Duration.ZERO);
      phases.run("the fix", () -> mend(broken));
      goOn();
    }
    RolloutView ended = watch.untilEnded(ID);
    var report = RolloutReport.of(rest, ID, stores, opens);
    report.show(screen, ended);
    return report.faults().isEmpty();
  }

  private static boolean hasStopped(RolloutView rollout) {
    return rollout.state().equals("paused") && rollout.counts().inWork() == 0;
  }

  private static boolean isStore(String host) {
    return host.startsWith(HOSTS);
  }

  private Program simulator(String process, boolean isBroken, Map<String, String> knobs) {
    List<Store> played = stores.stream().filter(store -> store.isBroken() == isBroken).toList();
    int first = played.getFirst().number();
    return new SimulatedHosts(
            process, Demo.TENANT, HOSTS, first, played.size(), PACKAGE, BEFORE, BEAT, knobs)
        .on(stack);
  }

  private String startHosts(Program broken) {
    simulator("stores", false, Map.of()).launch();
    broken.launch();
    return "simulated, each with the agent's own core";
  }

  private String addStores() {
    for (Store store : stores) {
      ObjectNode body = Rest.JSON.createObjectNode();
      body.putArray("hosts").add(HOSTS + "%05d".formatted(store.number()));
      body.put("zone", store.zone());
      ObjectNode labels = body.putObject("labels");
      labels.put("kind", "store").put("region", store.region());
      if (store.isCanary()) {
        labels.put("ring", "canary");
      }
      var _ = rest.send("PUT", "devices/" + store.name(), body);
    }
    ObjectNode body = Rest.JSON.createObjectNode();
    ObjectNode window = body.putArray("windows").addObject();
    ArrayNode days = window.putArray("days_of_week");
    List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun").forEach(days::add);
    window.put("start_time", local(opens)).put("timezone", "site-local").put("duration", "2h");
    var _ = rest.send("PUT", "label-windows/region/" + Store.PACIFIC, body);
    return "%d in Europe, %d in New Zealand, where maintenance begins at %s"
        .formatted(
            stores.stream().filter(store -> !store.waitsForItsWindow()).count(),
            stores.stream().filter(Store::waitsForItsWindow).count(),
            local(opens));
  }

  private String publish() {
    ReleaseKey key = ReleaseKey.read(stack.secrets().releaseKey());
    new SimulatedRelease(PACKAGE, BEFORE, 240, Map.of()).publish(rest, key);
    Map<String, String> slow = Map.of("prepare_ms", "600", "upgrade_ms", "1500");
    new SimulatedRelease(PACKAGE, RolloutReport.VERSION, 250, slow).publish(rest, key);
    return PACKAGE + " " + RolloutReport.VERSION;
  }

  private void create() {
    ObjectNode plan = Rest.JSON.createObjectNode();
    plan.put("title", "the new till, everywhere");
    plan.put("package", PACKAGE).put("version", RolloutReport.VERSION);
    // Shown alone, the stores are all devices there are.
    plan.put("selection", "labels.kind == 'store'").put("everything", true);
    ArrayNode waves = plan.putArray("waves");
    waves.addObject().put("expression", "labels.ring == 'canary'").put("soak_s", 3);
    waves.addObject().put("expression", "labels.region == 'europe'");
    waves.addObject().put("rest", true);
    plan.putObject("limits").put("max_parallel", 3);
    plan.putObject("thresholds").put("failures", 2).putNull("failure_percent");
    plan.putObject("window").put("takes_s", 60);
    var _ = rest.send("POST", "rollouts", plan, Map.of("Idempotency-Key", ID));
  }

  private void sayTheTime() {
    screen.say("");
    screen.say(
        "  It is %s here and %s in Auckland. Europe is open at any time; New Zealand opens at %s."
            .formatted(
                MINUTE.format(Instant.now().atZone(ZoneId.systemDefault())),
                local(Instant.now()),
                local(opens)));
    screen.say("");
  }

  private static String local(Instant at) {
    return MINUTE.format(at.atZone(ZoneId.of(Store.PACIFIC_ZONE)));
  }

  private void sayWhyItStopped() {
    screen.say("");
    screen.say("  " + screen.terminal().yellow("It has stopped by itself. What has failed:"));
    String failures = RolloutText.failures(rest.get("rollouts/" + ID + "/failures").path("items"));
    failures.lines().forEach(line -> screen.say("    " + line));
    screen.say("");
  }

  /// Two stores get what they lack, which here takes another process.
  private String mend(Program broken) {
    broken.stop();
    simulator("stores-mended", true, Map.of()).launch();
    Heard.await(rest, RolloutPart::isStore, Store.ALL, READY);
    return "malmo and turin have their licences; retry-failed, resume";
  }

  private void goOn() {
    ObjectNode body = Rest.JSON.createObjectNode().put("reason", "the licences are there");
    for (String wish : List.of("retry-failed", "resume")) {
      var said = rest.send("POST", "rollouts/" + ID + "/" + wish, body);
      screen.say("  " + wish + ": " + said.path("said").asString(""));
    }
    screen.say("");
  }
}
