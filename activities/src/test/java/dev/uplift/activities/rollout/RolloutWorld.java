package dev.uplift.activities.rollout;

import static org.awaitility.Awaitility.await;

import dev.uplift.activities.TestServers;
import dev.uplift.activities.device.DeviceSide;
import dev.uplift.activities.links.Links;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.temporal.Fates;
import dev.uplift.activities.temporal.Proceeding;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.RolloutSteering;
import dev.uplift.activities.temporal.Steered;
import dev.uplift.activities.temporal.TemporalLink;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.activities.temporal.UpgradeWorker;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Expected;
import dev.uplift.store.NewRelease;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetFilter;
import dev.uplift.store.TargetRow;
import dev.uplift.store.Tenants;
import dev.uplift.temporaldev.Stack;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.rollout.RolloutPace;
import dev.uplift.workflows.rollout.RolloutStart;
import dev.uplift.workflows.rollout.SteerWish;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/// A worker of ours on a real Temporal of its own, with tables in memory, for rollouts over hosts
/// that do as they are told. There is no NATS.
final class RolloutWorld implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(90);
  static final Release RELEASE = new Release("os", "1.5.0");

  /// A worker that is killed costs no more than the beat.
  static final RolloutPace QUICK =
      new RolloutPace(Duration.ofHours(1), Duration.ofSeconds(5), Duration.ofMinutes(1));

  final HostsAsTold hosts = new HostsAsTold();
  final RolloutTables tables;
  final RolloutPlanner planner;
  private final Stack stack = TestServers.open();
  final RolloutRuns runs;
  private final Database database = Database.open(DatabaseSettings.inMemory());
  private final Duration look;
  private final TemporalLink temporal;
  private final Links links;
  private RolloutSide side;
  private UpgradeWorker worker;

  RolloutWorld() {
    this(TicksOverTables.LOOK);
  }

  /// @param look how long a tick does not look at what nobody has told it of
  RolloutWorld(Duration look) {
    this.look = look;
    stack.temporal().start();
    temporal = link();
    runs = new RolloutRuns(temporal, stack.temporal().namespace());
    tables = RolloutTables.of(database);
    var refusals = new Refusals(new SimpleMeterRegistry());
    var nats = new NatsLink(TestServers.settings(stack), InstantSource.system());
    var presence = new Presence(nats, InstantSource.system(), Duration.ofSeconds(100), refusals);
    links = new Links(nats, temporal, presence, refusals);
    planner = new RolloutPlanner(tables, presence);
    new Tenants(database, Clock.systemUTC()).put(TestServers.TENANT, "");
    publish(tables, RELEASE, 150);
    // So that no selection takes everything.
    register("bystanders", 1);
    side = side(links);
    worker = worker(links, side);
  }

  private TemporalLink link() {
    return new TemporalLink(
        new TemporalSettings(stack.temporal().target(), stack.temporal().namespace()));
  }

  private RolloutSide side(Links with) {
    return RolloutSide.of(tables, with, Pace.USUAL, QUICK, look);
  }

  private UpgradeWorker worker(Links with, RolloutSide rollouts) {
    return new UpgradeWorker(
        with.temporal(),
        hosts,
        DeviceSide.of(tables.others(), with, Duration.ofMinutes(1), rollouts.steps()::wake)
            .records(),
        rollouts.steps(),
        rollouts.records());
  }

  static void publish(RolloutTables tables, Release release, long sequence) {
    var manifest =
        new ReleaseManifest(
            release.packageName(),
            "simulated",
            release.version(),
            sequence,
            Optional.empty(),
            new TreeMap<>(),
            List.of(),
            Instant.EPOCH);
    tables
        .others()
        .releases()
        .put(
            new NewRelease(
                TestServers.TENANT,
                release,
                manifest.kind(),
                sequence,
                new String(manifest.write(), StandardCharsets.UTF_8),
                "no signature\n",
                Optional.empty(),
                Instant.EPOCH));
  }

  /// So many devices with one host each, all with the label `fleet`.
  void register(String fleet, int devices) {
    for (int i = 1; i <= devices; i++) {
      register(fleet, "%s-%02d".formatted(fleet, i), "");
    }
  }

  /// One device, with maintenance windows if there are any.
  void register(String fleet, String name, String windows) {
    register(name, Map.of("fleet", fleet), windows);
  }

  void register(String name, Map<String, String> labels, String windows) {
    tables
        .others()
        .devices()
        .put(
            new DeviceSpec(
                new DeviceId(TestServers.TENANT, name),
                List.of(new HostId(name + "-left")),
                labels,
                ZoneOffset.UTC,
                windows),
            Expected.anything());
  }

  static RolloutPlan plan(String fleet) {
    return RolloutPlan.usual(RELEASE, "labels.fleet == '%s'".formatted(fleet));
  }

  RolloutId create(RolloutPlan plan) {
    var id = new RolloutId(TestServers.TENANT, "r-" + UUID.randomUUID().toString().substring(0, 8));
    Planned planned =
        planner.create(id, new RolloutWish("", plan, Reach.DEVICE, Duration.ZERO, false), "ann");
    if (!(planned instanceof Planned.Created)) {
      throw new IllegalStateException(planned.toString());
    }
    return id;
  }

  /// Created, and its workflow started.
  RolloutId start(RolloutPlan plan) {
    RolloutId id = create(plan);
    start(id);
    return id;
  }

  void start(RolloutId id) {
    new RolloutStarter(temporal, QUICK).start(row(id));
  }

  void lookAgain(RolloutId id) {
    new RolloutSteering(temporal).lookAgain(id);
  }

  Steered steer(RolloutId id, Steer what) {
    return steer(id, SteerWish.of(UUID.randomUUID().toString(), what, "bob", "because"));
  }

  Steered steer(RolloutId id, SteerWish wish) {
    return new RolloutSteering(temporal).steer(id, wish);
  }

  /// As the workflow does it, where none runs.
  dev.uplift.workflows.rollout.Steered steerInTables(RolloutId id, Steer what) {
    return steerInTables(id, SteerWish.of(UUID.randomUUID().toString(), what, "bob", ""));
  }

  dev.uplift.workflows.rollout.Steered steerInTables(RolloutId id, SteerWish wish) {
    return side.records().steer(new RolloutStart(id.tenant(), id.name(), RELEASE, QUICK), wish);
  }

  RolloutRow row(RolloutId id) {
    return tables.rollouts().find(id).orElseThrow();
  }

  RolloutRow awaitState(RolloutId id, RolloutState state) {
    await(state.toString()).atMost(PATIENCE).until(() -> row(id).state() == state);
    return row(id);
  }

  List<TargetRow> targets(RolloutId id) {
    return tables.counts().list(id, TargetFilter.ALL, PageRequest.first(1000)).rows();
  }

  long in(RolloutId id, TargetState state) {
    return targets(id).stream().filter(target -> target.state() == state).count();
  }

  /// The server ends in the midst of its ticks, and another one comes.
  void killAndReplace() {
    side.steps().leave();
    worker.close();
    side = side(links);
    worker = worker(links, side);
  }

  /// What servers do now and then for rollouts that nobody works on.
  void keep() {
    side.keeper().run();
  }

  /// A pass of another server, which is killed before it has started anybody.
  Passed passOfOneThatIsKilled(RolloutId id) {
    return passAt(id, Instant.now());
  }

  /// The same, at another time.
  Passed passAt(RolloutId id, Instant now) {
    return new Pass(tables, links.presence(), id).run(now);
  }

  /// A pass of another server, to its end.
  Passed passOfAnother(RolloutId id) {
    Passed passed = passOfOneThatIsKilled(id);
    new Launching(tables, new UpgradeStarter(temporal), new Fates(temporal), goingOn(), Pace.USUAL)
        .launch(passed, () -> {});
    return passed;
  }

  private GoingOn goingOn() {
    return new GoingOn(tables, new Proceeding(temporal));
  }

  TemporalLink temporal() {
    return temporal;
  }

  @Override
  public void close() {
    hosts.goOn();
    side.steps().leave();
    worker.close();
    temporal.close();
    database.close();
    stack.close();
  }
}
