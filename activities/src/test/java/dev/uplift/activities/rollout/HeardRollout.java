package dev.uplift.activities.rollout;

import dev.uplift.activities.EndsShared;
import dev.uplift.activities.HostByHand;
import dev.uplift.activities.TestServers;
import dev.uplift.activities.World;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.activities.nats.SteadyClock;
import dev.uplift.activities.presence.Presence;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Expected;
import dev.uplift.store.Membership;
import dev.uplift.store.NewRollout;
import dev.uplift.store.Tenants;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A rollout whose tables are in memory, and hosts that beat over real NATS.
@Timeout(240)
@ExtendWith(EndsShared.class)
abstract class HeardRollout {
  static final RolloutId ID = new RolloutId(TestServers.TENANT, "north");
  static final Duration NEVER = Duration.ofHours(1);
  static final Duration SOON = Duration.ofSeconds(1);
  private static final Release RELEASE = new Release(World.PACKAGE, "1.5.0");

  private final List<HostByHand> hosts = new ArrayList<>();
  private Database database;
  RolloutTables tables;
  NatsLink nats;

  @BeforeEach
  void open() throws Exception {
    database = Database.open(DatabaseSettings.inMemory());
    tables = RolloutTables.of(database);
    nats = new NatsLink(TestServers.settings(TestServers.shared()), new SteadyClock());
    new Tenants(database, Clock.systemUTC()).put(TestServers.TENANT, "");
  }

  @AfterEach
  void close() throws Exception {
    nats.close();
    database.close();
    for (HostByHand host : hosts) {
      host.leave();
    }
  }

  /// A host of a device of that name.
  HostByHand device(String name, Map<String, String> labels) throws Exception {
    var host =
        new HostByHand(
            TestServers.connectAsDevice(TestServers.shared(), TestServers.TENANT),
            TestServers.TENANT,
            name,
            World.trustedKeys());
    hosts.add(host);
    tables
        .others()
        .devices()
        .put(
            new DeviceSpec(
                new DeviceId(TestServers.TENANT, name), List.of(host.id()), labels, ZoneOffset.UTC),
            Expected.anything());
    return host;
  }

  Presence presence(Duration silentAfter) {
    return new Presence(
        nats, new SteadyClock(), silentAfter, new Refusals(new SimpleMeterRegistry()));
  }

  /// That hears from now on.
  Presence listening(Duration silentAfter) {
    Presence presence = presence(silentAfter);
    nats.attach(presence);
    nats.start();
    return presence;
  }

  static RolloutPlan plan() {
    return RolloutPlan.usual(RELEASE, "true");
  }

  /// A rollout that runs, with one wave.
  void rollOut(RolloutPlan plan, String... devices) {
    var wish = new RolloutWish("", plan, Reach.DEVICE, Duration.ZERO, false);
    var row =
        new NewRollout(
            ID,
            "north",
            RELEASE,
            RolloutTexts.write(wish),
            RolloutTexts.write(RolloutRules.of(plan)),
            RolloutTexts.write(Steering.NONE),
            RolloutState.RUNNING,
            "ann",
            Optional.empty(),
            0);
    var wave = new Membership.NewWave(1, 0, "canary", List.of(devices));
    tables.rollouts().create(row, new Membership(List.of(wave), List.of()));
  }
}
