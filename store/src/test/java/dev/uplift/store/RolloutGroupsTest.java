package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is asked about devices with the same value of a label, and about those of a wave.
final class RolloutGroupsTest extends OnRollouts {
  private RolloutHosts hosts = new RolloutHosts(database);

  @BeforeEach
  void pair() {
    hosts = new RolloutHosts(database);
    var devices = new Devices(database, clock);
    for (String name : List.of("a", "b", "c")) {
      devices.put(
          new DeviceSpec(
              device(name),
              hosts("left-" + name, "right-" + name),
              Map.of("ha", name.equals("c") ? "other" : "pair"),
              ZoneId.of("UTC")),
          Expected.absent());
    }
  }

  @Test
  void membersOfAGroupComeWithTheirHosts() {
    assertThat(hosts.labelled(tenant, "ha", "pair"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("a", hosts("left-a", "right-a"), "b", hosts("left-b", "right-b")));
    assertThat(hosts.labelled(tenant, "ha", "none")).isEmpty();
  }

  @Test
  void upgradedDevicesOfAWaveComeWithTheirHosts() {
    RolloutId north = north();
    start(north, "a", "b", "c");
    ends(north, "b", Outcome.UPGRADED);
    ends(north, "c", Outcome.ROLLED_BACK);
    collect(north);

    assertThat(hosts.upgraded(north, 2)).containsOnlyKeys("b");
    assertThat(hosts.upgraded(north, 1)).isEmpty();
  }

  @Test
  void whatAPersonUpgradesHasAPlaceAndWhatOnlyPreparesHasNone() {
    RolloutId north = north();
    upgrades.begin(new NewUpgrade("by-hand", device("a"), OS, "ann", "", "run-1"));
    targets
        .begin(north, List.of("b"), true)
        .forEach(row ->
            upgrades.begin(
                new NewUpgrade(row.upgrade().orElseThrow(), device("b"), OS, "ann", "", "run-2")));
    targets.started(north, "b");

    assertThat(counts.loads(north, "ha", 1, Instant.EPOCH)).containsOnlyKeys("a");

    upgrades.end(tenant, "by-hand", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    assertThat(counts.loads(north, "ha", 1, Instant.EPOCH)).isEmpty();
  }

  @Test
  void theTryBeforeCountsForThePaceToo() {
    RolloutId north = north();
    start(north, "a");
    ends(north, "a", Outcome.ROLLED_BACK);
    collect(north);
    targets.retry(north, "a", Optional.empty());
    start(north, "a");

    assertThat(counts.pacing(north, clock.instant()).inLastMinute()).isEqualTo(2);
    targets.begin(north, List.of("b"), false);
    targets.putBack(north, "b", clock.instant());
    assertThat(counts.pacing(north, clock.instant()).inLastMinute()).isEqualTo(2);
    assertThat(counts.pacing(north, clock.pass(Duration.ofMinutes(2))).inLastMinute()).isZero();
  }

  @Test
  void whatIsBeingTakenBackIsNotUnhealthyAnyMore() {
    RolloutId north = north();
    start(north, "a");
    ends(north, "a", Outcome.UPGRADED);
    collect(north);
    reverts.mark(north, 1, Set.of(Verdict.UPGRADED));
    var silent =
        new TargetVerdict("a", Verdict.UNHEALTHY, true, Optional.of(BROKEN), clock.instant());

    assertThat(targets.unhealthy(north, List.of(silent))).isZero();
  }

  @Test
  @Timeout(60)
  void whoAsksAtTheSameTimeSeesWhatTheOtherHasTaken() throws Exception {
    RolloutId north = north();
    RolloutId south = running("south", List.of("b"));
    var hasIt = new CountDownLatch(1);
    var hasAsked = new CountDownLatch(1);
    try (ExecutorService another = Executors.newSingleThreadExecutor()) {
      Future<Set<String>> seen =
          another.submit(() -> {
            hasIt.await();
            return database.together(() -> {
              var _ = rollouts.lock(south);
              rollouts.lockGroups(tenant);
              Set<String> loads = counts.loads(south, "ha", 1, Instant.EPOCH).keySet();
              hasAsked.countDown();
              return loads;
            });
          });
      database.together(() -> {
        var _ = rollouts.lock(north);
        rollouts.lockGroups(tenant);
        hasIt.countDown();
        boolean tooEarly = await(hasAsked);
        var _ = targets.begin(north, List.of("a"), false);
        return tooEarly;
      });

      assertThat(seen.get()).containsExactly("a");
    }
  }

  /// For a moment; it is not to come while the lock is held.
  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(500, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void groupsAreLockedWithinATransactionOnly() {
    assertThatThrownBy(() -> rollouts.lockGroups(tenant)).isInstanceOf(IllegalStateException.class);
    database.together(() -> {
      rollouts.lockGroups(tenant);
      return 0;
    });
  }
}
