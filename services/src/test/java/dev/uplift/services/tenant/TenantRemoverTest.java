package dev.uplift.services.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.HostMessages;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.StreamProvisioner;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.PageRequest;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.RecordedInfo;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.tenant.TenantRemovalRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantRow;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.temporaldev.stack.Stack;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StreamInfoOptions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TenantRemoverTest {
  private static final String GONE = TestStacks.TENANT;
  private static final String OTHER = TestStacks.OTHER_TENANT;
  private static final HostId LEFT = new HostId("left");

  private final Stack stack = TestStacks.open();
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock());
  private Instant now = Instant.now();
  private final Database database = Database.open(DatabaseSettings.h2InMemory(), () -> now);
  private final TenantRepository tenants = database.repository(TenantRepository.class);
  private final HostRepository hosts = database.repository(HostRepository.class);
  private final UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
  private final AuditRepository audit = database.repository(AuditRepository.class);
  private final TenantRemover remover =
      new TenantRemover(
          database,
          tenants,
          database.repository(TenantRemovalRepository.class),
          database.repository(EnrolmentRepository.class),
          audit,
          new HostMessages(nats),
          () -> now);

  @BeforeEach
  void start() throws Exception {
    stack.nats().start();
    nats.addInitializer(new StreamProvisioner(1));
    nats.start();
    await().until(() -> nats.status().connected());
    for (String tenant : List.of(GONE, OTHER)) {
      tenants.put(tenant, "");
      hosts.recordInfo(tenant, LEFT, info(), List.of(), List.of());
      String host = Subjects.hostAddress(tenant, LEFT.value());
      Connection device = TestStacks.connectAsDevice(stack, tenant);
      var _ = device.jetStream().publish(Subjects.info(host), "{}".getBytes(UTF_8));
      device.close();
      var _ = nats.connection().jetStream().publish(Subjects.command(host), "{}".getBytes(UTF_8));
    }
    tenants.delete(GONE);
  }

  @AfterEach
  void stop() {
    nats.close();
    database.close();
    stack.close();
  }

  @Test
  void rowsAndMessagesOfADeletedTenantAreRemovedAndThoseOfAnotherOneStay() throws Exception {
    now = now.plus(TenantRemover.GRACE).plusSeconds(1);

    remover.run();

    assertThat(hosts.find(GONE, LEFT)).isEmpty();
    assertThat(hosts.find(OTHER, LEFT)).isPresent();
    assertThat(messages(GONE)).isZero();
    assertThat(messages(OTHER)).isEqualTo(2);
    assertThat(tenants.findWithDeleted(GONE).orElseThrow().removedAt()).isNotNull();
    remover.run();
    assertThat(actions()).containsExactly("tenant.removed");
  }

  @Test
  void whatAnEarlierRequestOrAHostAddsMeanwhileIsRemovedToo() {
    remover.run();
    assertThat(tenants.findWithDeleted(GONE)).map(TenantRow::removedAt).isEmpty();
    upgrades.createIfAbsent(newUpgrade("late"));
    upgrades.recordEnd(GONE, "late", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    assertThat(hosts.recordInfo(GONE, LEFT, info(), List.of(), List.of())).isEqualTo(RecordedInfo.NO_TENANT);
    now = now.plus(TenantRemover.GRACE).plusSeconds(1);

    remover.run();

    assertThat(upgrades.find(GONE, "late")).isEmpty();
    assertThat(tenants.findWithDeleted(GONE)).map(TenantRow::removedAt).isPresent();
  }

  @Test
  void rowsStayAsLongAsAnUpgradeRuns() {
    upgrades.createIfAbsent(newUpgrade("runs"));
    now = now.plus(TenantRemover.GRACE).plusSeconds(1);
    remover.run();
    assertThat(hosts.find(GONE, LEFT)).isPresent();

    upgrades.recordEnd(GONE, "runs", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    remover.run();

    assertThat(hosts.find(GONE, LEFT)).isEmpty();
  }

  @Test
  void whileNatsIsAwayNothingIsRemoved() {
    stack.nats().kill();
    await().until(() -> !nats.status().connected());
    now = now.plus(TenantRemover.GRACE).plusSeconds(1);

    remover.run();

    assertThat(tenants.findWithDeleted(GONE)).map(TenantRow::removedAt).isEmpty();
  }

  private static HostInfo info() {
    return new HostInfo("{}", "1.0", "amd64", List.of(), "boot", "instance", "idle", Map.of("os", "1"), Instant.now());
  }

  private static NewUpgrade newUpgrade(String id) {
    return new NewUpgrade(id, new DeviceId(GONE, "site"), new Release("os", "1.5"), "ann", "{}", "run");
  }

  private List<String> actions() {
    return audit.list(GONE, Optional.empty(), PageRequest.first(10)).rows().stream()
        .map(row -> row.entry().action())
        .toList();
  }

  private long messages(String tenant) throws Exception {
    JetStreamManagement streams = nats.connection().jetStreamManagement();
    long found = 0;
    for (String stream : streams.getStreamNames()) {
      var options = StreamInfoOptions.filterSubjects("*." + tenant + ".>");
      found += streams.getStreamInfo(stream, options).getStreamState().getSubjects().size();
    }
    return found;
  }
}
