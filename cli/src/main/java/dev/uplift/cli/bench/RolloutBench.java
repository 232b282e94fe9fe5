package dev.uplift.cli.bench;

import dev.uplift.cli.local.Heard;
import dev.uplift.cli.local.LocalTrust;
import dev.uplift.cli.local.Pause;
import dev.uplift.cli.local.Phases;
import dev.uplift.cli.local.Servers;
import dev.uplift.cli.local.SimulatedHosts;
import dev.uplift.cli.local.SimulatedRelease;
import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.rollout.RolloutView;
import dev.uplift.temporaldev.Program;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A small rollout to warm up, then one over all devices, to be measured. Where it stops by itself
/// it is resumed, as a person would who has looked.
final class RolloutBench {
  static final String ID = "measured";

  private static final String PACKAGE = "app";
  private static final String BEFORE = "1.0";
  private static final Duration HEARD = Duration.ofMinutes(10);
  private static final Duration DONE = Duration.ofHours(2);

  /// Seldom enough to cost little beside it.
  private static final Duration LOOK = Duration.ofMillis(500);

  private static final int HEAP_LOOKS = 3;
  private static final int HISTORIES = 20;

  private final Stack stack;
  private final Phases phases;
  private final Wish wish;
  private final SimulatedHosts hosts;
  private final SequencedMap<Integer, Long> heapKib = new TreeMap<>();

  /// What is to be measured.
  ///
  /// @param failing percent of the hosts
  /// @param stopAt failures of a wave
  record Wish(int devices, int waves, int failing, int stopAt, int inFlight, int warmUp) {}

  RolloutBench(Stack stack, Phases phases, Wish wish) {
    this.stack = stack;
    this.phases = phases;
    this.wish = wish;
    this.hosts =
        new SimulatedHosts(
            "simulator",
            Bench.TENANT,
            "sim-",
            0,
            wish.devices(),
            PACKAGE,
            BEFORE,
            SimulatedHosts.USUAL_BEAT,
            Map.of());
  }

  RolloutFigures run() {
    Servers servers = new Servers(stack, phases);
    servers.start();
    try (Rest rest = servers.rest(Bench.TENANT)) {
      Crowd crowd = new Crowd();
      LocalTrust.putTenant(rest, stack, Bench.TENANT);
      phases.run("releases", () -> publish(rest));
      phases.run("devices", () -> add(rest, crowd));
      Program simulator = hosts.on(stack);
      phases.run("simulator", () -> start(rest, simulator));
      if (wish.warmUp() > 0) {
        phases.run("warm-up", () -> warmUp(rest));
      }
      heapKib.put(0, Heap.usedKib(stack.server().pid()));
      Measured before = Measured.now(stack, simulator);
      phases.run("rollout", () -> measured(rest));
      Measured after = Measured.now(stack, simulator);
      return new RolloutFigures(
          wish,
          RolloutRun.of(rest, crowd, ID),
          after.cpuSince(before),
          after.uses(),
          heapKib,
          new Histories(stack.temporal()).events(List.of("rollout/" + Bench.TENANT + "/" + ID)),
          new Histories(stack.temporal()).ofUpgrades(Bench.TENANT, some()));
    }
  }

  private List<String> some() {
    return hosts.names().subList(0, Math.min(wish.devices(), HISTORIES));
  }

  private String publish(Rest rest) {
    ReleaseKey key = ReleaseKey.read(stack.secrets().releaseKey());
    new SimulatedRelease(PACKAGE, BEFORE, 1, Map.of()).publish(rest, key);
    new SimulatedRelease(PACKAGE, "2.0", 2, Map.of()).publish(rest, key);
    Map<String, String> knobs =
        wish.failing() == 0
            ? Map.of()
            : Map.of("fail_upgrade", "final broken", "fail_upgrade_percent", "" + wish.failing());
    new SimulatedRelease(PACKAGE, "3.0", 3, knobs).publish(rest, key);
    return "";
  }

  private String add(Rest rest, Crowd crowd) {
    crowd.each(
        hosts.names(),
        device -> {
          ObjectNode body = Rest.JSON.createObjectNode();
          body.putArray("hosts").add(device);
          var _ = rest.send("PUT", "devices/" + device, body);
        });
    return Integer.toString(wish.devices());
  }

  private String start(Rest rest, Program simulator) {
    simulator.start();
    return Heard.await(rest, _ -> true, wish.devices(), HEARD);
  }

  private String warmUp(Rest rest) {
    ObjectNode plan = plan("2.0", "device < 'sim-%05d'".formatted(wish.warmUp()));
    plan.putArray("waves").addObject().put("rest", true);
    create(rest, "warm-up", plan);
    while (!look(rest, "warm-up").hasEnded()) {
      Pause.of(LOOK);
    }
    return wish.warmUp() + " upgrades";
  }

  private ObjectNode plan(String version, String selection) {
    ObjectNode plan = Rest.JSON.createObjectNode();
    plan.put("package", PACKAGE).put("version", version);
    plan.put("selection", selection).put("everything", true);
    plan.putObject("limits").put("max_parallel", wish.inFlight());
    return plan;
  }

  private static void create(Rest rest, String id, ObjectNode plan) {
    var _ = rest.send("POST", "rollouts", plan, Map.of("Idempotency-Key", id));
  }

  private static RolloutView look(Rest rest, String id) {
    return RolloutView.of(rest.get("rollouts/" + id));
  }

  private String measured(Rest rest) {
    ObjectNode plan = plan("3.0", "true");
    ArrayNode waves = plan.putArray("waves");
    for (int wave = 1; wave < wish.waves(); wave++) {
      waves.addObject().put("count", wish.devices() / wish.waves());
    }
    waves.addObject().put("rest", true);
    ObjectNode thresholds = plan.putObject("thresholds").putNull("failure_percent");
    if (wish.failing() == 0) {
      thresholds.put("success_percent", 100).put("failures", 1);
    } else {
      thresholds.put("success_percent", 80).put("failures", wish.stopAt());
    }
    create(rest, ID, plan);
    return follow(rest);
  }

  private String follow(Rest rest) {
    Instant until = Instant.now().plus(DONE);
    int stops = 0;
    RolloutView now = look(rest, ID);
    while (!now.hasEnded()) {
      if (Instant.now().isAfter(until)) {
        throw new CommandFailed(
            CommandFailed.REFUSED, "the rollout has not ended within " + DONE.toHours() + " h");
      }
      lookAtHeap(now.counts().done());
      if (now.state().equals("paused") && now.counts().inWork() == 0) {
        stops++;
        var _ =
            rest.send(
                "POST",
                "rollouts/" + ID + "/resume",
                Rest.JSON.createObjectNode().put("reason", "seen"));
      }
      Pause.of(LOOK);
      now = look(rest, ID);
    }
    lookAtHeap(now.counts().done());
    return "%s, %d stops".formatted(now.counts().inWords(), stops);
  }

  /// After each third.
  private void lookAtHeap(int done) {
    int next = heapKib.size() * wish.devices() / HEAP_LOOKS;
    if (done >= next && heapKib.size() <= HEAP_LOOKS) {
      heapKib.put(done, Heap.usedKib(stack.server().pid()));
    }
  }
}
