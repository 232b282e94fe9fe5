package dev.uplift.services.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.temporaldev.stack.Stack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nats.client.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which heartbeats listeners are told of, over a real nats-server and tables in memory.
final class HostChangesTest {
  private static final Duration SILENT_AFTER = Duration.ofSeconds(100);
  private static final HostId LEFT = new HostId("left");

  private final Stack stack = TestStacks.open();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final RejectedMessages rejected = new RejectedMessages(meters);
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-29T01:30:00Z"));
  private final InstantSource clock = now::get;
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), clock);
  private final Presence presence = new Presence(nats, clock, SILENT_AFTER, rejected);
  private final Database database = Database.open(DatabaseSettings.h2InMemory());
  private final HostRepository hosts = database.repository(HostRepository.class);
  private final BatchWriter batchWriter = new BatchWriter(database, meters);
  private final HostInventory inventory = new HostInventory(hosts, batchWriter, rejected);
  private final List<HostId> changed = new ArrayList<>();
  private final AtomicReference<Instant> heard = new AtomicReference<>(Instant.MIN);
  private Connection device;

  @BeforeEach
  void start() throws Exception {
    database.repository(TenantRepository.class).put(TestStacks.TENANT, "");
    var site = new DeviceId(TestStacks.TENANT, "site");
    database
        .repository(DeviceRepository.class)
        .put(new DeviceSpec(site, List.of(LEFT), Map.of(), ZoneOffset.UTC, ""), Precondition.absent());
    stack.nats().start();
    device = TestStacks.connectAsDevice(stack, TestStacks.TENANT);
    inventory.listenTo(presence);
    inventory.addListener((_, ids) -> changed.addAll(ids));
    presence.addListener(beat -> heard.set(beat.receivedAt()));
    nats.addInitializer(presence);
    nats.start();
    await().until(() -> nats.status().connected());
  }

  @AfterEach
  void stop() throws Exception {
    device.close();
    presence.close();
    nats.close();
    batchWriter.close();
    database.close();
    stack.close();
  }

  @Test
  void aHostThatIsHeardAfterAnySilenceHasChanged() throws Exception {
    beat("1.4.0");
    assertThat(changesWritten()).as("heard for the first time").containsExactly(LEFT);

    passes(SILENT_AFTER);
    assertThat(presence.status(TestStacks.TENANT, LEFT)).isInstanceOf(PresenceStatus.Silent.class);
    beat("1.4.0");

    assertThat(changesWritten()).as("whatever waits for it need not wait").containsExactly(LEFT);
  }

  @Test
  void aHostThatIsHeardWithoutABreakHasNotChangedAndIsNotWritten() throws Exception {
    beat("1.4.0");
    changesWritten();
    Instant first = now.get();
    for (int i = 0; i < 4; i++) {
      passes(SILENT_AFTER.dividedBy(2));
      beat("1.4.0");
      assertThat(changesWritten()).isEmpty();
    }

    assertThat(hosts.find(TestStacks.TENANT, LEFT).flatMap(HostRow::heartbeat).map(HeartbeatRow::receivedAt))
        .contains(first);
  }

  @Test
  void aHostThatReportsAnotherVersionHasChanged() throws Exception {
    beat("1.4.0");
    changesWritten();
    passes(Duration.ofSeconds(30));
    beat("1.5.0");

    assertThat(changesWritten()).containsExactly(LEFT);
  }

  private List<HostId> changesWritten() {
    changed.clear();
    inventory.write();
    return List.copyOf(changed);
  }

  /// Advances the clock second by second, as this process sees it.
  private void passes(Duration time) {
    for (int i = 0; i < time.toSeconds(); i++) {
      now.updateAndGet(before -> before.plusSeconds(1));
      presence.tick();
    }
  }

  /// Sends a heartbeat and waits until all listeners have it.
  private void beat(String version) throws Exception {
    var heartbeat =
        new Heartbeat(Heartbeat.State.RUNNING, "boot-1", new TreeMap<>(Map.of("os", version)), false, now.get());
    device.publish(Subjects.heartbeat(TestStacks.TENANT + "." + LEFT, "one"), heartbeat.write());
    device.flush(Duration.ofSeconds(60));
    await().until(() -> heard.get().equals(now.get()));
  }
}
