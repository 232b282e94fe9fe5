package dev.uplift.temporaldev.night;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.cli.rollout.RolloutResponse;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.scenario.ExternalDatabase;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.scenario.SimulatedRelease;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProgram;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs a night on a stack: starts servers and the fleet, switches some hosts off, rolls a release out, disturbs that,
/// and reads the table in the morning.
public final class NightRunner {
  private static final String TENANT = "night";
  private static final String ROLLOUT = "night";
  private static final String PACKAGE = "till";
  private static final String INSTALLED = "1.0";
  private static final String WANTED = "2.0";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final Duration PRESENCE_TIMEOUT = Duration.ofMinutes(10);

  /// How long a rollout may make no progress: longer than any outage or window.
  private static final Duration STALL_TIMEOUT = Duration.ofMinutes(30);

  /// Percentages of devices that have ended when something happens.
  private static final int CONNECTION_LOSS_AT = 5;

  private static final int NATS_OUTAGE_AT = 20;
  private static final int SERVER_LOSS_AT = 45;
  private static final int SERVER_RETURN_AT = 60;
  private static final int HOSTS_RETURN_AT = 75;

  private final Stack stack;
  private final PhaseReporter phases;
  private final NightOptions options;
  private final NightServers servers;
  private final NightFleet fleet;
  private final Map<HostBehaviour, StackProgram> simulators;

  /// @param database shared by two servers; empty: there is one server
  public NightRunner(Stack stack, PhaseReporter phases, NightOptions options, Optional<ExternalDatabase> database) {
    this.stack = stack;
    this.phases = phases;
    this.options = options;
    servers = new NightServers(stack, options, database);
    fleet = NightFleet.of(options.seed(), options.devices());
    simulators = Arrays.stream(HostBehaviour.values()).collect(Collectors.toMap(Function.identity(), this::simulator));
  }

  private StackProgram simulator(HostBehaviour behaviour) {
    List<NightDevice> devices = fleet.with(behaviour);
    int first = devices.stream().mapToInt(NightDevice::hostNumber).min().orElse(0);
    return new SimulatedHosts(
            "simulator-" + behaviour,
            TENANT,
            NightDevice.HOST_PREFIX,
            first,
            devices.size(),
            PACKAGE,
            INSTALLED,
            options.heartbeatInterval(),
            behaviour.driverSettings())
        .programOn(stack);
  }

  /// Blocks until the morning.
  public NightReport run() {
    StackStarter starter = new StackStarter(stack, phases);
    starter.start();
    starter.openTenant(TENANT).close();
    phases.run("second server", servers::startOther);
    try (RestClient rest = new RestClient(URI.create(servers.observer().url()), stack.tokens().admin(), TENANT)) {
      phases.run("releases", () -> publish(rest));
      phases.run("devices", () -> addDevices(rest));
      phases.run("hosts", () -> startHosts(rest));
      phases.run("switched off", () -> switchHostsOff(rest));
      Instant evening = Instant.now();
      Map<NightRegion, Instant> openings =
          Arrays.stream(NightRegion.values())
              .collect(Collectors.toMap(Function.identity(), region -> region.opening(evening, options.windowSpan())));
      phases.run("windows", () -> addWindows(rest, openings));
      phases.run("rollout", () -> create(rest, evening));
      disturb(rest);
      phases.run("the rest", () -> awaitMorning(rest));
      Duration duration = Duration.between(evening, Instant.now());
      NightInspector inspector = new NightInspector(rest, ROLLOUT, openings);
      return new NightReport(
          options.seed(), fleet.expectedOutcomes(), inspector.outcomes(), inspector.violations(fleet), duration);
    }
  }

  private String publish(RestClient rest) {
    var key = KeyFile.readPrivate(stack.secrets().releaseKeyFile());
    new SimulatedRelease(PACKAGE, INSTALLED, 1, Map.of()).publish(rest, key);
    Map<String, String> arguments = Map.of("prepare_ms", "500", "upgrade_ms", "1000");
    new SimulatedRelease(PACKAGE, WANTED, 2, arguments).publish(rest, key);
    return PACKAGE + " " + WANTED;
  }

  private String addDevices(RestClient rest) {
    fleet.devices().parallelStream()
        .forEach(device -> {
          ObjectNode body = RestClient.JSON.createObjectNode();
          body.putArray("hosts").add(device.host());
          body.put("zone", device.region().zone());
          ObjectNode labels = body.putObject("labels").put("region", device.region().toString());
          labels.put("ring", device.isCanary() ? "canary" : "late");
          var _ = rest.send("PUT", "devices/" + device.name(), body);
        });
    return "%d in %d time zones, seed %d".formatted(options.devices(), NightRegion.values().length, options.seed());
  }

  private String startHosts(RestClient rest) {
    simulators.values().forEach(StackProgram::launch);
    return HostPresenceAwaiter.awaitOnline(rest, _ -> true, options.devices(), PRESENCE_TIMEOUT);
  }

  /// As by a power failure: they say nothing before.
  private String switchHostsOff(RestClient rest) {
    Set<String> off = new HashSet<>();
    for (HostBehaviour behaviour : HostBehaviour.values()) {
      if (behaviour.isOffAtFirst()) {
        program(behaviour).kill();
        fleet.with(behaviour).forEach(device -> off.add(device.host()));
      }
    }
    var _ =
        new Poller<>(() -> heardHosts(rest, off), POLL_INTERVAL, PRESENCE_TIMEOUT)
            .poll(List::isEmpty)
            .orElseThrow(heard ->
                new CliException(CliException.FAILED, "hosts that were switched off are not silent: " + heard));
    return off.size() + " hosts are off";
  }

  /// Returns those of the hosts that are not silent.
  private static List<String> heardHosts(RestClient rest, Set<String> hosts) {
    Set<String> silent =
        rest.getAll("hosts", Map.of("limit", "1000"))
            .valueStream()
            .filter(host -> host.path("presence").asString("").equals("silent"))
            .map(host -> host.path("host").asString(""))
            .collect(Collectors.toSet());
    return hosts.stream().filter(host -> !silent.contains(host)).toList();
  }

  private StackProgram program(HostBehaviour behaviour) {
    return Objects.requireNonNull(simulators.get(behaviour));
  }

  private String addWindows(RestClient rest, Map<NightRegion, Instant> openings) {
    openings.forEach((region, opening) -> {
      ObjectNode body = RestClient.JSON.createObjectNode();
      ObjectNode window = body.putArray("windows").addObject();
      ArrayNode days = window.putArray("days_of_week");
      List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun").forEach(days::add);
      window.put("start_time", region.localTime(opening)).put("timezone", "site-local").put("duration", "12h");
      var _ = rest.send("PUT", "label-windows/region/" + region, body);
    });
    return openings.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + " " + entry.getKey().localTime(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  /// As an operator would: canaries of one region, then all others, thresholds that the expected failures do not reach.
  private String create(RestClient rest, Instant evening) {
    int atOnce = Math.max(20, options.devices() / 10);
    ObjectNode plan = RestClient.JSON.createObjectNode();
    plan.put("title", "the new till, everywhere");
    plan.put("package", PACKAGE).put("version", WANTED);
    plan.put("selection", "true").put("everything", true);
    ArrayNode waves = plan.putArray("waves");
    waves.addObject().put("expression", "labels.ring == 'canary'").put("soak_seconds", options.soak().toSeconds());
    waves.addObject().put("rest", true);
    plan.putObject("limits").put("max_parallel", atOnce).put("max_preparing", atOnce);
    ObjectNode thresholds = plan.putObject("thresholds").put("success_percent", 50);
    thresholds.put("failures", 2 + options.devices() * 3 / 100).putNull("failure_percent");
    thresholds.putObject("by_outcome").put("stranded", 1).put("declined", 2 + options.devices() * 5 / 100);
    plan.putObject("window").put("required_time_seconds", 60);
    plan.put("not_after", evening.plus(options.rolloutDeadline()).toString());
    var _ = rest.send("POST", "rollouts", plan, Map.of("Idempotency-Key", ROLLOUT));
    return fetch(rest).counts().summary();
  }

  private static RolloutResponse fetch(RestClient rest) {
    return RolloutResponse.of(rest.get("rollouts/" + ROLLOUT));
  }

  private void disturb(RestClient rest) {
    awaitEnded(rest, CONNECTION_LOSS_AT);
    phases.run("hosts cut off", this::cutHostsOff);
    awaitEnded(rest, NATS_OUTAGE_AT);
    phases.run("NATS outage", this::interruptNats);
    awaitEnded(rest, SERVER_LOSS_AT);
    phases.run("lost server", servers::kill);
    awaitEnded(rest, SERVER_RETURN_AT);
    phases.run("server is back", servers::startLost);
    awaitEnded(rest, HOSTS_RETURN_AT);
    phases.run("hosts are on", this::switchHostsOn);
  }

  private String cutHostsOff() {
    StackProgram hosts = program(HostBehaviour.LOSES_CONNECTION);
    hosts.pause();
    Sleeper.sleep(options.connectionLoss());
    hosts.resume();
    return fleet.with(HostBehaviour.LOSES_CONNECTION).size() + " hosts were cut off and are back";
  }

  private String interruptNats() {
    stack.nats().kill();
    Sleeper.sleep(options.natsOutage());
    stack.nats().start();
    return "killed, and started again";
  }

  private String switchHostsOn() {
    program(HostBehaviour.COMES_BACK).start();
    return fleet.with(HostBehaviour.COMES_BACK).size() + " hosts that were off";
  }

  private void awaitEnded(RestClient rest, int percent) {
    int least = Math.ceilDiv(fleet.countStarted() * percent, 100);
    phases.run(percent + " % have ended", () -> awaitRollout(rest, rollout -> rollout.counts().finished() >= least));
  }

  private String awaitMorning(RestClient rest) {
    return awaitRollout(rest, rollout -> !options.untilDeadline() && isOnlyOfflineLeft(rollout));
  }

  private boolean isOnlyOfflineLeft(RolloutResponse rollout) {
    int started = fleet.countStarted();
    int offline = rollout.json().path("counts").path("offline").asInt(0);
    return rollout.counts().finished() >= started && offline >= options.devices() - started;
  }

  /// Blocks until the condition holds. Returns as well if the rollout has ended, or has made no progress for a long
  /// time: what came of that is in the report. A request that fails is sent again.
  private static String awaitRollout(RestClient rest, Predicate<RolloutResponse> condition) {
    int finished = -1;
    String summary = "no answer";
    Instant until = Instant.now().plus(STALL_TIMEOUT);
    while (Instant.now().isBefore(until)) {
      try {
        RolloutResponse now = fetch(rest);
        summary = now.counts().summary();
        if (now.hasEnded() || condition.test(now)) {
          return summary;
        }
        if (now.counts().finished() > finished) {
          finished = now.counts().finished();
          until = Instant.now().plus(STALL_TIMEOUT);
        }
      } catch (CliException e) {
        summary = e.getMessage();
      }
      Sleeper.sleep(POLL_INTERVAL);
    }
    return "no progress for %d min: %s".formatted(STALL_TIMEOUT.toMinutes(), summary);
  }
}
