package dev.uplift.services.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.services.presence.Presence;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.barrier.BarrierRepository;
import dev.uplift.store.barrier.NewBarrier;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.metrics.FleetCountRepository;
import dev.uplift.store.reconciler.ReconcilerLeaseRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeRepository;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two servers on one database.
final class FleetMetricsTest {
  private static final DeviceId SITE = new DeviceId("acme", "site");

  private Instant now = Instant.parse("2026-03-29T01:30:00Z");
  private final Database database = Database.open(DatabaseSettings.h2InMemory(), () -> now);
  private final MeterRegistry first = new SimpleMeterRegistry();
  private final MeterRegistry second = new SimpleMeterRegistry();
  private final FleetMetrics firstServer = server(first);
  private final FleetMetrics secondServer = server(second);

  private FleetMetrics server(MeterRegistry meters) {
    var nats =
        new NatsConnection(new NatsSettings("nats://127.0.0.1:1", Optional.empty(), Optional.empty(), 1), () -> now);
    return new FleetMetrics(
        database.repository(FleetCountRepository.class),
        database.repository(ReconcilerLeaseRepository.class),
        new Presence(nats, () -> now, Duration.ofSeconds(100), new RejectedMessages(meters)),
        () -> now,
        meters);
  }

  @BeforeEach
  void startAnUpgrade() {
    database.repository(TenantRepository.class).put(SITE.tenant(), "");
    database
        .repository(DeviceRepository.class)
        .put(
            new DeviceSpec(SITE, List.of(new HostId("left"), new HostId("right")), Map.of(), ZoneOffset.UTC),
            Precondition.absent());
    database
        .repository(UpgradeRepository.class)
        .create(new NewUpgrade("u1", SITE, new Release("os", "2"), "ann", "{}", "run-1", Optional.empty()));
  }

  @BeforeEach
  void startABarrier() {
    var hosts = new TreeMap<>(Map.of(SITE.name(), List.of(new HostId("left"))));
    var barrier =
        new NewBarrier(
            new BarrierId("acme", "schema-7"),
            "till",
            "{}",
            Optional.empty(),
            "halted",
            hosts,
            now.plusSeconds(600),
            now.plusSeconds(3600));
    database.repository(TenantRepository.class).put(SITE.tenant(), "");
    database.inTransaction(() -> database.repository(BarrierRepository.class).create(barrier, "ann"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void oneServerExportsTheCountsAndTheirAgeRises() {
    firstServer.refresh();
    secondServer.refresh();
    now = now.plusSeconds(10);

    assertThat(value(first, "uplift.devices")).contains(1.0);
    assertThat(value(first, "uplift.upgrades.running", "phase", "wait")).contains(1.0);
    assertThat(value(first, "uplift.upgrades.running", "phase", "upgrade")).contains(0.0);
    assertThat(value(first, "uplift.upgrades.oldest", "phase", "wait")).contains(10.0);
    assertThat(value(first, "uplift.upgrades.oldest", "phase", "upgrade")).contains(0.0);
    assertThat(value(first, "uplift.waves.open", "state", "soaking")).contains(0.0);
    assertThat(value(first, "uplift.waves.oldest", "state", "running")).contains(0.0);
    assertThat(value(first, "uplift.barriers.open", "state", "halting")).contains(1.0);
    assertThat(value(first, "uplift.barriers.open", "state", "halted")).contains(0.0);
    assertThat(value(first, "uplift.barriers.oldest", "state", "halting")).contains(10.0);
    assertThat(value(first, "uplift.hosts.halted")).contains(0.0);
    assertThat(value(first, "uplift.fleet.counts.age")).contains(10.0);
    assertThat(value(second, "uplift.devices")).isEmpty();
    assertThat(value(second, "uplift.waves.open")).isEmpty();
    assertThat(value(second, "uplift.barriers.open")).isEmpty();
    assertThat(value(second, "uplift.hosts.halted")).isEmpty();
    assertThat(value(second, "uplift.fleet.counts.age")).isEmpty();
  }

  @Test
  void hostsThatNobodyCouldHaveHeardAreUnknown() {
    firstServer.refresh();

    assertThat(value(first, "uplift.hosts", "presence", "unknown")).contains(2.0);
    assertThat(value(first, "uplift.hosts", "presence", "silent")).contains(0.0);
    assertThat(value(first, "uplift.hosts", "presence", "online")).contains(0.0);
  }

  @Test
  void anotherServerContinuesWhenTheFirstIsLost() {
    firstServer.refresh();
    now = now.plus(FleetMetrics.INTERVAL.multipliedBy(3)).plusSeconds(1);
    secondServer.refresh();

    assertThat(value(second, "uplift.devices")).contains(1.0);

    firstServer.refresh();
    assertThat(value(first, "uplift.devices")).isEmpty();
  }

  private static Optional<Double> value(MeterRegistry meters, String name, String... tags) {
    return Optional.ofNullable(meters.find(name).tags(tags).gauge()).map(Gauge::value);
  }
}
