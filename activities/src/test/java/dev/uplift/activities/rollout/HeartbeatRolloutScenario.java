package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.NatsTestHost;
import dev.uplift.activities.SharedInProcessServerExtension;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.NewTargetResult;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.tenant.TenantRepository;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A rollout with tables in memory, and hosts that send heartbeats over real NATS.
@Timeout(240)
@ExtendWith(SharedInProcessServerExtension.class)
abstract class HeartbeatRolloutScenario {
  static final RolloutId ID = new RolloutId(TestStacks.TENANT, "north");
  static final Duration NEVER = Duration.ofHours(1);
  static final Duration SOON = Duration.ofSeconds(1);
  private static final Release RELEASE = new Release(InProcessServer.PACKAGE, "1.5.0");

  private final List<NatsTestHost> hosts = new ArrayList<>();
  private Database database;
  RolloutRepositories repositories;
  NatsConnection nats;

  @BeforeEach
  void open() throws Exception {
    database = Database.open(DatabaseSettings.h2InMemory());
    repositories = database.repository(RolloutRepositories.class);
    nats = new NatsConnection(TestStacks.natsSettings(TestStacks.shared()), new MonotonicClock());
    database.repository(TenantRepository.class).put(TestStacks.TENANT, "");
  }

  @AfterEach
  void close() throws Exception {
    nats.close();
    database.close();
    for (NatsTestHost host : hosts) {
      host.disconnect();
    }
  }

  /// Creates a device with one host of the same name.
  NatsTestHost device(String name, Map<String, String> labels) throws Exception {
    var host =
        new NatsTestHost(
            TestStacks.connectAsDevice(TestStacks.shared(), TestStacks.TENANT),
            TestStacks.TENANT,
            name,
            InProcessServer.trustedKeys());
    hosts.add(host);
    repositories
        .common()
        .devices()
        .put(
            new DeviceSpec(new DeviceId(TestStacks.TENANT, name), List.of(host.id()), labels, ZoneOffset.UTC),
            Precondition.anything());
    return host;
  }

  Presence presence(Duration silentAfter) {
    return new Presence(nats, new MonotonicClock(), silentAfter, new RejectedMessages(new SimpleMeterRegistry()));
  }

  /// Starts to receive heartbeats.
  Presence startListening(Duration silentAfter) {
    Presence presence = presence(silentAfter);
    nats.addInitializer(presence);
    nats.start();
    return presence;
  }

  static RolloutPlan plan() {
    return RolloutPlan.defaults(RELEASE, "true");
  }

  /// Makes the devices of the first wave end as upgraded.
  void endWell(String... devices) {
    var results =
        Stream.of(devices)
            .map(device -> new NewTargetResult(device, TargetResult.UPGRADED, true, Optional.empty(), Instant.now()))
            .toList();
    repositories
        .database()
        .inTransaction(() -> {
          repositories.rollouts().lock(ID);
          repositories.rollouts().startWave(ID, 1);
          repositories.targets().markStarting(ID, List.of(devices), false);
          results.forEach(one -> repositories.targets().markStarted(ID, one.device()));
          repositories.targets().recordResults(ID, results);
          return 0;
        });
  }

  void markUnhealthy(String device) {
    var result = new NewTargetResult(device, TargetResult.UNHEALTHY, true, Optional.empty(), Instant.now());
    assertThat(repositories.targets().markUnhealthy(ID, List.of(result))).isEqualTo(1);
  }

  /// Creates a running rollout with one wave.
  void createRollout(RolloutPlan plan, String... devices) {
    var spec = new RolloutSpec("", plan, RollbackScope.DEVICE, Duration.ZERO, false);
    var row =
        new NewRollout(
            ID,
            "north",
            RELEASE,
            RolloutJson.write(spec),
            RolloutJson.write(RolloutRules.of(plan)),
            RolloutJson.write(RolloutControl.NONE),
            RolloutState.RUNNING,
            "ann",
            Optional.empty(),
            0);
    var wave = new RolloutMembership.NewWave(1, 0, "canary", List.of(devices));
    repositories.rollouts().create(row, new RolloutMembership(List.of(wave), List.of()));
  }
}
