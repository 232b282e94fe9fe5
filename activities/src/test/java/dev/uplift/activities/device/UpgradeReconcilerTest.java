package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.device.UpgradeReconciler.ReconciledTables;
import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.temporal.RequestSeal;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.WorkflowTaskFailures;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.reconciler.ReconcilerLeaseRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.temporaldev.stack.Stack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Open upgrades whose workflows Temporal does not know.
final class UpgradeReconcilerTest {
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now().minus(Duration.ofHours(1)));
  private final Stack stack = TestStacks.shared();
  private final UpgradeRepository upgrades;
  private final Database database;

  UpgradeReconcilerTest() {
    database = Database.open(DatabaseSettings.h2InMemory(), now::get);
    database.repository(TenantRepository.class).put(TestStacks.TENANT, "");
    upgrades = database.repository(UpgradeRepository.class);
  }

  @Test
  void oneServerAsksAboutSomeInEachRunAndTheNextOneContinuesThere() {
    int open = UpgradeReconciler.MIN_PER_RUN + 150;
    for (int i = 0; i < open; i++) {
      now.updateAndGet(time -> time.plusMillis(1));
      var device = new DeviceId(TestStacks.TENANT, "device-" + i);
      upgrades.createIfAbsent(new NewUpgrade("u-" + i, device, new Release("os", "1"), "ann", "", "run"));
    }
    try (database;
        TemporalClients temporal = temporal(stack.temporal().target());
        TemporalClients unreachable = temporal("127.0.0.1:1")) {
      UpgradeReconciler one = reconciler(temporal);
      UpgradeReconciler other = reconciler(temporal);

      one.run();
      other.run();

      assertThat(upgrades.countRunning()).isEqualTo(150);
      assertThat(isOpen("u-0")).isFalse();
      assertThat(isOpen("u-" + (open - 1))).isTrue();

      now.updateAndGet(time -> time.plus(INTERVAL.multipliedBy(2)));
      reconciler(unreachable).run();
      assertThat(upgrades.countRunning()).as("while Temporal is unavailable").isEqualTo(150);
      now.updateAndGet(time -> time.plus(INTERVAL.multipliedBy(2)));
      other.run();

      assertThat(upgrades.countRunning()).isZero();
    }
  }

  private boolean isOpen(String upgrade) {
    return upgrades.find(TestStacks.TENANT, upgrade).orElseThrow().end().isEmpty();
  }

  private TemporalClients temporal(String target) {
    return new TemporalClients(
        new TemporalSettings(target, stack.temporal().namespace()),
        new RequestSeal("secret"),
        new SimpleMeterRegistry());
  }

  private UpgradeReconciler reconciler(TemporalClients temporal) {
    return new UpgradeReconciler(
        new ReconciledTables(
            upgrades,
            database.repository(CommandRepository.class),
            database.repository(HeartbeatWaitRepository.class),
            database.repository(ReconcilerLeaseRepository.class)),
        new UpgradeWorkflowClient(temporal),
        new LatestCommandStream(new NatsConnection(TestStacks.natsSettings(stack), InstantSource.system())),
        new FailingWorkflowMonitor(
            database.repository(FailingWorkflowRepository.class),
            new WorkflowTaskFailures(temporal),
            new SimpleMeterRegistry()),
        INTERVAL);
  }
}
