package dev.uplift.store.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Queries about devices with the same value of a label, and about the devices of a wave.
final class RolloutGroupsTest extends RolloutRepositoryScenario {
  private RolloutHosts hosts = database.repository(RolloutHosts.class);

  @BeforeEach
  void pair() {
    hosts = database.repository(RolloutHosts.class);
    var deviceRepository = database.repository(DeviceRepository.class);
    for (String name : List.of("a", "b", "c")) {
      deviceRepository.put(
          new DeviceSpec(
              device(name),
              hosts("left-" + name, "right-" + name),
              Map.of("ha", name.equals("c") ? "other" : "pair"),
              ZoneId.of("UTC")),
          Precondition.absent());
    }
  }

  @Test
  void membersOfAGroupAreReadWithTheirHosts() {
    assertThat(hosts.ofLabelledDevices(tenant, "ha", "pair"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", hosts("left-a", "right-a"), "b", hosts("left-b", "right-b")));
    assertThat(hosts.ofLabelledDevices(tenant, "ha", "none")).isEmpty();
  }

  @Test
  void upgradedDevicesOfAWaveAreReadWithTheirHosts() {
    RolloutId north = north();
    start(north, "a", "b", "c");
    endUpgrade(north, "b", Outcome.UPGRADED);
    endUpgrade(north, "c", Outcome.ROLLED_BACK);
    recordFinished(north);

    assertThat(hosts.upgradedDevices(north, 2))
        .extracting(RolloutHosts.UpgradedDevice::name, RolloutHosts.UpgradedDevice::hosts)
        .containsExactly(tuple("b", hosts("left-b", "right-b")));
    assertThat(hosts.upgradedDevices(north, 1)).isEmpty();
  }

  @Test
  void upgradesByPersonsAreCountedAndPreparationsAreNot() {
    RolloutId north = north();
    upgrades.createIfAbsent(new NewUpgrade("by-hand", device("a"), OS, "ann", "", "run-1"));
    targets
        .markStarting(north, List.of("b"), true)
        .forEach(row ->
            upgrades.createIfAbsent(new NewUpgrade(row.upgrade().orElseThrow(), device("b"), OS, "ann", "", "run-2")));
    targets.markStarted(north, "b");

    assertThat(counts.groupLoads(north, "ha", 1, Instant.EPOCH)).containsOnlyKeys("a");

    upgrades.recordEnd(tenant, "by-hand", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    assertThat(counts.groupLoads(north, "ha", 1, Instant.EPOCH)).isEmpty();
  }

  @Test
  void anEarlierAttemptCountsForTheRateToo() {
    RolloutId north = north();
    start(north, "a");
    endUpgrade(north, "a", Outcome.ROLLED_BACK);
    recordFinished(north);
    targets.retry(north, "a", Optional.empty());
    start(north, "a");

    assertThat(counts.recentStarts(north, clock.instant()).inLastMinute()).isEqualTo(2);
    targets.markStarting(north, List.of("b"), false);
    targets.returnToPending(north, "b", clock.instant());
    assertThat(counts.recentStarts(north, clock.instant()).inLastMinute()).isEqualTo(2);
    assertThat(counts.recentStarts(north, clock.advance(Duration.ofMinutes(2))).inLastMinute()).isZero();
  }

  @Test
  void aDeviceBeingRolledBackIsNotCountedAsUnhealthy() {
    RolloutId north = north();
    start(north, "a");
    endUpgrade(north, "a", Outcome.UPGRADED);
    recordFinished(north);
    reverts.markToRevert(north, 1, Set.of(TargetResult.UPGRADED));
    var silent = new NewTargetResult("a", TargetResult.UNHEALTHY, true, Optional.of(BROKEN), clock.instant());

    assertThat(targets.markUnhealthy(north, List.of(silent))).isZero();
  }

  @Test
  @Timeout(60)
  void concurrentPassesSeeEachOthersStarts() throws Exception {
    RolloutId north = north();
    RolloutId south = runningRollout("south", List.of("b"));
    var hasIt = new CountDownLatch(1);
    var hasAsked = new CountDownLatch(1);
    try (ExecutorService another = Executors.newSingleThreadExecutor()) {
      Future<Set<String>> seen =
          another.submit(() -> {
            hasIt.await();
            return database.inTransaction(() -> {
              var _ = rollouts.lock(south);
              counts.lockGroups(tenant);
              Set<String> loads = counts.groupLoads(south, "ha", 1, Instant.EPOCH).keySet();
              hasAsked.countDown();
              return loads;
            });
          });
      database.inTransaction(() -> {
        var _ = rollouts.lock(north);
        counts.lockGroups(tenant);
        hasIt.countDown();
        boolean tooEarly = await(hasAsked);
        var _ = targets.markStarting(north, List.of("a"), false);
        return tooEarly;
      });

      assertThat(seen.get()).containsExactly("a");
    }
  }

  /// Waits for a moment; it must not be counted down while the lock is held.
  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(500, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Each waits for the other, while it has the lock. H2 has no shared one.
  @Test
  @Timeout(60)
  void onPostgresqlUpgradesThatBeginDoNotWaitForEachOther() throws Exception {
    RolloutId north = north();
    var both = new CyclicBarrier(2);
    Callable<Boolean> begin =
        () ->
            database.inTransaction(() -> {
              boolean isThere = rollouts.lockShared(north).isPresent();
              return isThere && isMet(both);
            });
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (Future<Boolean> each : threads.invokeAll(List.of(begin, begin))) {
        assertThat(each.get()).isEqualTo(database.isShared());
      }
    }
  }

  @Test
  @Timeout(60)
  void aDecisionWaitsForTheUpgradesThatBegin() throws Exception {
    RolloutId north = north();
    var hasBegun = new CountDownLatch(1);
    var isDecided = new CountDownLatch(1);
    try (ExecutorService another = Executors.newSingleThreadExecutor()) {
      Future<?> decision =
          another.submit(() -> {
            hasBegun.await();
            database.inTransaction(() -> {
              var _ = rollouts.lock(north);
              isDecided.countDown();
              return 0;
            });
            return 0;
          });
      boolean tooEarly =
          database.inTransaction(() -> {
            var _ = rollouts.lockShared(north);
            hasBegun.countDown();
            return await(isDecided);
          });

      decision.get();
      assertThat(tooEarly).isFalse();
    }
  }

  private static boolean isMet(CyclicBarrier both) {
    try {
      both.await(database.isShared() ? 30 : 1, TimeUnit.SECONDS);
      return true;
    } catch (BrokenBarrierException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void groupsAreLockedWithinATransactionOnly() {
    assertThatThrownBy(() -> counts.lockGroups(tenant)).isInstanceOf(IllegalStateException.class);
    database.inTransaction(() -> {
      counts.lockGroups(tenant);
      return 0;
    });
  }

  @Test
  void whileGroupsAreLockedOthersInsertRowsThatReferToTheTenant() throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch inserted = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Boolean> pass =
          threads.submit(() ->
              database.inTransaction(() -> {
                counts.lockGroups(tenant);
                locked.countDown();
                return isReached(inserted);
              }));
      Future<?> insert =
          threads.submit(() -> {
            isReached(locked);
            database
                .repository(DeviceRepository.class)
                .put(new DeviceSpec(device("d"), hosts("host-d"), Map.of(), ZoneId.of("UTC")), Precondition.absent());
            inserted.countDown();
          });

      assertThat(pass.get()).as("the insert did not wait for the pass").isTrue();
      insert.get();
    }
  }

  private static boolean isReached(CountDownLatch latch) {
    try {
      return latch.await(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
