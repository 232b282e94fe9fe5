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
import dev.uplift.temporaldev.Program;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/// Simulated devices of one host each: many are upgraded at once to warm up, then all of them at
/// once to be measured, then a few one after another.
final class Bench {
  static final String TENANT = "bench";

  private static final String PACKAGE = "app";
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration HEARD = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMillis(250);

  /// Seldom enough to cost nothing beside hundreds of upgrades.
  private static final Duration LOOK_AT_MANY = Duration.ofSeconds(1);

  private static final int ONE_BY_ONE = 20;
  private static final Duration DONE = Duration.ofMinutes(30);

  private final Stack stack;
  private final Phases phases;
  private final int devices;

  Bench(Stack stack, Phases phases, int devices) {
    this.stack = stack;
    this.phases = phases;
    this.devices = devices;
  }

  BenchReport run(int warmUp) {
    Servers servers = new Servers(stack, phases);
    servers.start();
    try (Rest rest = servers.rest(TENANT)) {
      Crowd crowd = new Crowd();
      LocalTrust.putTenant(rest, stack, TENANT);
      phases.run("releases", () -> publish(rest));
      phases.run("devices", () -> add(rest, crowd, devices));
      Program simulator = simulated().on(stack);
      phases.run("simulator", () -> start(rest, simulator));
      phases.run("warm-up", () -> upgrade(rest, crowd, "2.0", warmUp));
      Measured quiet = Measured.now(stack, simulator);
      phases.run("idle", Bench::doNothing);
      Measured before = Measured.now(stack, simulator);
      phases.run("measured", () -> upgrade(rest, crowd, "3.0", devices));
      Measured after = Measured.now(stack, simulator);
      phases.run("one by one", () -> oneByOne(rest));
      return report(rest, crowd, List.of(quiet, before, after));
    }
  }

  private static String doNothing() {
    Pause.of(IDLE);
    return "";
  }

  private String publish(Rest rest) {
    ReleaseKey key = ReleaseKey.read(stack.secrets().releaseKey());
    for (int sequence = 2; sequence <= 4; sequence++) {
      new SimulatedRelease(PACKAGE, sequence + ".0", sequence, Map.of()).publish(rest, key);
    }
    return "";
  }

  static String add(Rest rest, Crowd crowd, int devices) {
    crowd.each(
        names(devices),
        device -> {
          ObjectNode body = Rest.JSON.createObjectNode();
          body.putArray("hosts").add(device);
          var _ = rest.send("PUT", "devices/" + device, body);
        });
    return Integer.toString(devices);
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj("sim-%05d"::formatted).toList();
  }

  private SimulatedHosts simulated() {
    return simulated(devices);
  }

  static SimulatedHosts simulated(int devices) {
    return new SimulatedHosts(
        "simulator",
        TENANT,
        "sim-",
        0,
        devices,
        PACKAGE,
        "1.0",
        SimulatedHosts.USUAL_BEAT,
        Map.of());
  }

  private String start(Rest rest, Program simulator) {
    return start(rest, simulator, devices);
  }

  static String start(Rest rest, Program simulator, int devices) {
    simulator.start();
    return Heard.await(rest, _ -> true, devices, HEARD);
  }

  private static String upgrade(Rest rest, Crowd crowd, String version, int count) {
    crowd.each(names(count), device -> start(rest, device, version));
    awaitEnd(rest, LOOK_AT_MANY);
    return count + " upgrades";
  }

  /// Nothing else is to be done then, so it shows how fast they are and not how many.
  private String oneByOne(Rest rest) {
    List<String> few = names(Math.min(devices, ONE_BY_ONE));
    for (String device : few) {
      start(rest, device, "4.0");
      awaitEnd(rest, LOOK);
    }
    return few.size() + " upgrades";
  }

  private static void start(Rest rest, String device, String version) {
    ObjectNode body = Rest.JSON.createObjectNode().put("package", PACKAGE).put("version", version);
    Map<String, String> headers = Map.of("Idempotency-Key", id(device, version));
    var _ = rest.send("POST", "devices/" + device + "/upgrades", body, headers);
  }

  /// Returns when no upgrade runs any more, however they ended.
  private static void awaitEnd(Rest rest, Duration look) {
    Instant until = Instant.now().plus(DONE);
    while (!rest.get("upgrades?running=true&limit=1").path("items").isEmpty()) {
      if (Instant.now().isAfter(until)) {
        throw new CommandFailed(
            CommandFailed.REFUSED, "not all have ended within " + DONE.toMinutes() + " min");
      }
      Pause.of(look);
    }
  }

  private static String id(String device, String version) {
    return device + "-" + version;
  }

  private BenchReport report(Rest rest, Crowd crowd, List<Measured> at) {
    Measured before = at.get(1);
    Measured after = at.get(2);
    Map<String, Duration> idle = before.cpuSince(at.get(0));
    idle.replaceAll((_, cpu) -> cpu.dividedBy(IDLE.toSeconds()));
    Ended ended = ended(rest, crowd, devices, "3.0");
    Ended alone = ended(rest, crowd, Math.min(devices, ONE_BY_ONE), "4.0");
    return new BenchReport(
        devices,
        ended.outcomes(),
        ended.took(),
        after.cpuSince(before),
        idle,
        after.uses(),
        new Histories(stack.temporal()).ofUpgrades(TENANT, names(Math.min(devices, 100))),
        Spread.of(ended.reactionsMs()),
        Spread.of(alone.reactionsMs()));
  }

  private static Ended ended(Rest rest, Crowd crowd, int count, String version) {
    return Ended.of(rest, crowd, names(count).stream().map(device -> id(device, version)).toList());
  }
}
