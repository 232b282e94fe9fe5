package dev.uplift.store.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.release.NewRelease;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TenantEventRepositoryTest extends DatabaseScenario {
  private static final Release OS = new Release("os", "1.5");

  private TenantEventRepository events = database.repository(TenantEventRepository.class);
  private DeviceRepository devices = database.repository(DeviceRepository.class);
  private RolloutRepository rollouts = database.repository(RolloutRepository.class);
  private UpgradeRepository upgrades = database.repository(UpgradeRepository.class);

  @BeforeEach
  void open() {
    events = database.repository(TenantEventRepository.class);
    devices = database.repository(DeviceRepository.class);
    rollouts = database.repository(RolloutRepository.class);
    upgrades = database.repository(UpgradeRepository.class);
  }

  @Test
  void anUpgradeBeginsAndEndsOnce() {
    var upgrade = new NewUpgrade("north.site.1", device("site"), OS, "ann", "{}", "run-1");
    var end =
        new UpgradeEnd(
            Outcome.ROLLED_BACK,
            Optional.of(new UpgradeEnd.EndReason("error", "health", "final", "does not answer")),
            "[]");
    Instant begun = clock.instant();
    upgrades.createIfAbsent(upgrade);
    upgrades.createIfAbsent(upgrade);
    Instant ended = clock.advance(Duration.ofMinutes(3));
    upgrades.recordEnd(tenant, "north.site.1", end);
    upgrades.end(tenant, "north.site.1", end, Optional.of("run-2"));

    assertThat(read())
        .containsExactly(
            upgradeEvent(1, begun, "upgrade.started", Optional.empty(), Optional.empty(), Optional.of("ann")),
            upgradeEvent(
                2,
                ended,
                "upgrade.ended",
                Optional.of("rolled-back"),
                Optional.of("does not answer"),
                Optional.empty()));
  }

  private TenantEventRow upgradeEvent(
      long number, Instant at, String kind, Optional<String> result, Optional<String> message, Optional<String> actor) {
    return new TenantEventRow(
        tenant,
        number,
        at,
        kind,
        Optional.of("north"),
        Optional.of("north.site.1"),
        Optional.of("site"),
        Optional.of("os"),
        Optional.of("1.5"),
        result,
        0,
        message,
        actor,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void aRolloutBeginsWaitsGoesOnAndEnds() {
    RolloutId north = rollout();
    rollouts.startWave(north, 1);
    setState(north, RolloutState.RUNNING, Optional.of(WaitReason.PAUSED), "a device is off");
    setState(north, RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), "2 failures");
    setState(north, RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), "3 failures");
    setState(north, RolloutState.RUNNING, Optional.empty(), "");
    rollouts.startWave(north, 2);
    setState(north, RolloutState.ROLLING_BACK, Optional.empty(), "");
    setState(north, RolloutState.ABORTING, Optional.empty(), "");
    rollouts.end(north, RolloutOutcome.ABORTED);
    rollouts.end(north, RolloutOutcome.ABORTED);

    assertThat(read())
        .extracting(
            row -> "%s %s %d %s".formatted(row.kind(), row.result().orElse("-"), row.wave(), row.message().orElse("-")))
        .containsExactly(
            "rollout.started - 1 -",
            "rollout.waiting paused 0 2 failures",
            "rollout.continued running 0 -",
            "rollout.wave-started - 2 -",
            "rollout.rolling-back rolling-back 0 -",
            "rollout.aborting aborting 0 -",
            "rollout.ended aborted 0 -");
    assertThat(read()).allMatch(row -> row.rollout().equals(Optional.of("north")));
  }

  @Test
  void devicesAreHeldAndReleasedOneByOneOrTogether() {
    Instant until = Instant.parse("2026-12-24T18:00:00Z");
    for (String name : List.of("a", "b", "c")) {
      devices.put(spec(name, name), Precondition.absent());
    }
    devices.hold(device("a"), "trade fair", "ann", Optional.of(until));
    devices.holdAll(tenant, List.of("a", "b"), "stock taking", "bob", Optional.empty());
    devices.releaseHold(device("a"));
    devices.releaseHold(device("a"));
    devices.releaseHolds(tenant, List.of("a", "b", "c"));

    assertThat(read())
        .extracting(row ->
            "%s %s %s %s"
                .formatted(row.kind(), row.device().orElseThrow(), row.message().orElse("-"), row.actor().orElse("-")))
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("device.held a trade fair ann"),
            second -> assertThat(second).matches("device.held [ab] stock taking bob"),
            third -> assertThat(third).matches("device.held [ab] stock taking bob"),
            fourth -> assertThat(fourth).isEqualTo("device.released a - -"),
            fifth -> assertThat(fifth).isEqualTo("device.released b - -"));
    assertThat(read().getFirst().untilAt()).contains(until);
  }

  @Test
  void aReleaseIsPublishedOnce() {
    var release = new NewRelease(tenant, OS, "bundle", 5, "{}", "signed", Optional.empty(), clock.instant());
    database.repository(ReleaseRepository.class).put(release);
    database.repository(ReleaseRepository.class).put(release);

    assertThat(read())
        .extracting(row -> row.kind() + " " + row.packageName().orElseThrow() + " " + row.version().orElseThrow())
        .containsExactly("release.published os 1.5");
  }

  @Test
  void whatIsRolledBackHasNotHappened() {
    database.inRolledBackTransaction(() -> {
      events.appendPublished(tenant, OS);
      return 1;
    });

    assertThat(read()).isEmpty();
    assertThat(events.lastNumber(tenant)).isZero();
  }

  @Test
  void aReaderMissesNoEventThatIsCommittedLate() throws Exception {
    var appended = new CountDownLatch(1);
    var commit = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> late =
          threads.submit(() ->
              database.inTransaction(() -> {
                events.appendPublished(tenant, new Release("os", "late"));
                appended.countDown();
                await(commit);
                return 1;
              }));
      await(appended);
      events.appendPublished(tenant, new Release("os", "early"));
      assertThat(read()).extracting(row -> row.version().orElseThrow()).containsExactly("early");

      commit.countDown();
      late.get(1, TimeUnit.MINUTES);
    }

    assertThat(read()).extracting(row -> row.version().orElseThrow()).containsExactly("early", "late");
    assertThat(events.listAfter(tenant, 1, 10)).hasSize(1);
  }

  @Test
  void serversThatNumberAtTheSameTimeGiveEachNumberOnce() throws Exception {
    List<Callable<Integer>> work = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      work.add(() -> {
        for (int i = 0; i < 25; i++) {
          events.appendPublished(tenant, OS);
          events.numberNew(tenant);
        }
        return 1;
      });
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Integer> done : threads.invokeAll(work, 1, TimeUnit.MINUTES)) {
        done.get();
      }
    }

    assertThat(read())
        .extracting(TenantEventRow::number)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
    assertThat(events.lastNumber(tenant)).isEqualTo(100);
  }

  @Test
  void aBacklogIsNumberedInBatches() {
    database.inTransaction(() -> {
      for (int i = 0; i < 1001; i++) {
        events.appendPublished(tenant, OS);
      }
      return 1;
    });

    int first = events.numberNew(tenant);
    int second = events.numberNew(tenant);

    assertThat(TenantEventRepository.isFullBatch(first)).isTrue();
    assertThat(second).isEqualTo(1);
    assertThat(events.numberNew(tenant)).isZero();
    assertThat(events.lastNumber(tenant)).isEqualTo(1001);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private RolloutId rollout() {
    var north = new RolloutId(tenant, "north");
    rollouts.create(
        new NewRollout(north, "north", OS, "{}", "{}", "{}", RolloutState.RUNNING, "ann", Optional.empty(), 0),
        new RolloutMembership(
            List.of(new NewWave(1, 0, "one", List.of("a")), new NewWave(2, 1, "two", List.of("b"))), List.of()));
    return north;
  }

  private void setState(RolloutId id, RolloutState state, Optional<WaitReason> reason, String message) {
    rollouts.setState(id, state, reason, message, Optional.empty());
  }

  /// All events, as a reader sees them.
  private List<TenantEventRow> read() {
    events.numberNew(tenant);
    return events.listAfter(tenant, 0, 2000);
  }
}
