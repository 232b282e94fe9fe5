package dev.uplift.store.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import dev.uplift.store.rollout.TargetRow.QueuePosition;
import dev.uplift.store.upgrade.NewUpgrade;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The reads of a pass.
final class RolloutQueueTest extends RolloutRepositoryScenario {
  @Test
  void candidatesAreInTheOrderOfTheQueue() {
    RolloutId north = north();
    targets.markStarting(north, List.of("c", "d"), true);
    targets.markStarted(north, "c");
    targets.markStarted(north, "d");

    assertThat(names(queue.candidates(north, 1, QueuePosition.FIRST, 10))).containsExactly("a");
    assertThat(names(queue.candidates(north, 2, QueuePosition.FIRST, 10))).containsExactly("a", "c", "b");
    List<TargetRow> page = queue.candidates(north, 3, QueuePosition.FIRST, 2);
    assertThat(names(page)).containsExactly("a", "c");
    assertThat(names(queue.candidates(north, 3, page.getLast().queuePosition(), 10)))
        .containsExactly("b", "d", "e", "f");
  }

  @Test
  void unknownUpgradesAreStartedAgainUnderTheSameId() {
    RolloutId north = north();
    targets.markStarting(north, List.of("a"), false);
    targets.markStarted(north, "a");
    start(north, "b");

    assertThat(queue.startedWithoutUpgrade(north, clock.instant())).isEmpty();
    clock.advance(Duration.ofMinutes(5));
    assertThat(names(queue.startedWithoutUpgrade(north, clock.instant()))).containsExactly("a");
    assertThat(targets.returnToStarting(north, "a")).isTrue();
    TargetRow again = queue.listInState(north, TargetState.STARTING).getFirst();
    assertThat(again.upgrade()).contains("north.a.1");
    assertThat(again.startedAt()).contains(clock.instant());
  }

  @Test
  void aDeviceIsBusyOnlyWithAnotherRolloutOrUpgrade() {
    RolloutId north = north();
    RolloutId south = runningRollout("south", List.of("a", "b", "c"));
    start(north, "d");
    start(south, "a");
    targets.markStarting(south, List.of("b"), true);
    upgrades.createIfAbsent(new NewUpgrade("by-hand", device("f"), OS, "ann", "", "run-1"));

    assertThat(queue.busyElsewhere(north))
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "rollout south", "b", "rollout south", "f", "upgrade by-hand"));
    assertThat(queue.busyElsewhere(south))
        .containsExactlyInAnyOrderEntriesOf(Map.of("d", "rollout north", "f", "upgrade by-hand"));

    endUpgrade(south, "a", Outcome.UPGRADED);
    recordFinished(south);
    assertThat(queue.busyElsewhere(north)).doesNotContainKey("a");
  }

  @Test
  void theRolloutOfHigherPrecedenceGetsTheDevice() {
    RolloutId north = north();
    clock.advance(Duration.ofSeconds(1));
    RolloutId south = runningRollout("south", List.of("a", "c"), List.of("d"));
    rollouts.startWave(south, 1);
    RolloutRow younger = rollouts.find(south).orElseThrow();
    RolloutRow older = rollouts.find(north).orElseThrow();
    QueuePosition end = new QueuePosition(2, 9);

    assertThat(queue.outranked(younger, QueuePosition.FIRST, end, 9, clock.instant()))
        .containsExactlyEntriesOf(Map.of("a", "north"));
    assertThat(queue.outranked(older, QueuePosition.FIRST, end, 9, clock.instant())).isEmpty();

    rollouts.setState(north, RolloutState.PAUSED, Optional.empty(), "", Optional.empty());
    assertThat(queue.outranked(younger, QueuePosition.FIRST, end, 9, clock.instant())).isEmpty();
  }

  @Test
  void offlineDevicesAreReadForNoPageOfCandidates() {
    RolloutId north = north();
    clock.advance(Duration.ofSeconds(1));
    RolloutId south = runningRollout("south", List.of("a", "b", "c"));
    RolloutRow younger = rollouts.find(south).orElseThrow();
    QueuePosition end = new QueuePosition(1, 9);
    rollouts.startWave(north, 2);
    DeviceRepository devices = database.repository(DeviceRepository.class);
    List.of("a", "b", "c")
        .forEach(name ->
            devices.put(new DeviceSpec(device(name), List.of(), Map.of(), ZoneId.of("UTC")), Precondition.anything()));
    targets.markOffline(south, List.of("b"));

    assertThat(queue.devicesOfCandidates(south, QueuePosition.FIRST, end, 9)).containsOnlyKeys("a", "c");
    assertThat(queue.outranked(younger, QueuePosition.FIRST, end, 9, clock.instant())).containsOnlyKeys("a", "c");
  }

  @Test
  void devicesAreCountedByWaveAndState() {
    RolloutId north = north();
    start(north, "a", "b", "d");
    targets.markStarting(north, List.of("c"), true);
    targets.skip(north, List.of("f"));
    endUpgrade(north, "a", Outcome.UPGRADED);
    endUpgrade(north, "d", Outcome.STRANDED);
    recordFinished(north);

    TargetCounts found = counts.targetCounts(north);

    assertThat(found.ofWave(2)).isEqualTo(new WaveCounts(0, 1, 1, 0, Map.of()));
    assertThat(found.beforeWave(2)).isEqualTo(new WaveCounts(0, 0, 0, 0, Map.of(TargetResult.UPGRADED, 1)));
    assertThat(found.afterWave(2)).isEqualTo(new WaveCounts(1, 0, 0, 1, Map.of(TargetResult.STRANDED, 1)));
    assertThat(found.all())
        .isEqualTo(new WaveCounts(1, 1, 1, 1, Map.of(TargetResult.UPGRADED, 1, TargetResult.STRANDED, 1)));
    assertThat(found.deviceCount()).isEqualTo(6);
  }

  @Test
  void onlyTheLastMinuteCountsForTheRate() {
    RolloutId north = north();
    start(north, "a");
    var second = clock.advance(Duration.ofSeconds(50));
    start(north, "b", "c");

    assertThat(counts.recentStarts(north, second).inLastMinute()).isEqualTo(3);
    var now = clock.advance(Duration.ofSeconds(20));
    assertThat(counts.recentStarts(north, now).inLastMinute()).isEqualTo(2);
    assertThat(counts.recentStarts(north, now).oldest()).contains(second);
  }

  @Test
  void aGroupCountsAllRunningAndUnverifiedDevices() {
    var deviceRepository = database.repository(DeviceRepository.class);
    for (String name : List.of("a", "b", "c", "d", "e", "f")) {
      deviceRepository.put(
          new DeviceSpec(
              device(name),
              hosts("host-" + name),
              name.equals("f") ? Map.of() : Map.of("ha", "of-" + name),
              ZoneId.of("UTC")),
          Precondition.absent());
    }
    RolloutId north = north();
    RolloutId south = runningRollout("south", List.of("e"));
    start(north, "a", "b", "d", "f");
    start(south, "e");
    targets.markStarting(north, List.of("c"), true);
    endUpgrade(north, "a", Outcome.STRANDED);
    endUpgrade(north, "b", Outcome.UPGRADED);
    endUpgrade(north, "d", Outcome.ROLLED_BACK);
    recordFinished(north);
    var soaked = clock.instant().minusSeconds(2);

    assertThat(counts.groupLoads(north, "ha", 2, soaked))
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "of-a", "b", "of-b", "e", "of-e"));
    assertThat(counts.groupLoads(north, "ha", 2, clock.instant())).containsOnlyKeys("a", "e");
  }

  @Test
  void failuresAreGroupedByTheirFirstError() {
    RolloutId north = north();
    start(north, "a", "b", "c", "d");
    endUpgrade(north, "a", Outcome.ROLLED_BACK);
    endUpgrade(north, "b", Outcome.STRANDED);
    endUpgrade(north, "c", Outcome.UPGRADED);
    recordFinished(north);
    targets.retry(north, "a", Optional.empty());

    assertThat(counts.failureGroups(north, 1))
        .containsExactly(new RolloutStatistics.FailureGroup("health", "final", "does not answer", 2, List.of("a")));
  }

  @Test
  void devicesAreListedByNameAndFilter() {
    RolloutId north = north();
    start(north, "a", "b");
    endUpgrade(north, "b", Outcome.UPGRADED);
    recordFinished(north);

    Page<TargetRow> page = counts.list(north, TargetFilter.ALL, PageRequest.first(4));
    assertThat(names(page.rows())).containsExactly("a", "b", "c", "d");
    PageRequest second = PageRequest.first(4).next(page).orElseThrow();
    assertThat(names(counts.list(north, TargetFilter.ALL, second).rows())).containsExactly("e", "f");
    assertThat(listed(north, OptionalInt.of(2), Optional.empty(), Optional.empty())).containsExactly("b", "c");
    assertThat(listed(north, OptionalInt.of(2), Optional.of(TargetState.PENDING), Optional.empty()))
        .containsExactly("c");
    assertThat(listed(north, OptionalInt.empty(), Optional.empty(), Optional.of(TargetResult.UPGRADED)))
        .containsExactly("b");
  }

  private List<String> listed(
      RolloutId id, OptionalInt wave, Optional<TargetState> state, Optional<TargetResult> result) {
    var filter = new TargetFilter(wave, state, result);
    return names(counts.list(id, filter, PageRequest.first(10)).rows());
  }

  @Test
  @Timeout(180)
  void eachUpgradeIsCollectedByOneOfManyConcurrentPasses() throws Exception {
    List<String> devices = IntStream.range(0, 60).mapToObj(i -> "d" + i).toList();
    rollouts.create(
        rollout("race", RolloutState.RUNNING),
        new RolloutMembership(List.of(new NewWave(1, 0, "all", devices)), List.of()));
    RolloutId race = id("race");
    start(race, devices.toArray(String[]::new));
    Callable<List<String>> passes =
        () -> {
          var seen = new ArrayList<String>();
          while (seen.size() < 60 && rollouts.find(race).orElseThrow().lastResultNumber() < 60) {
            seen.addAll(recordFinished(race));
          }
          return seen;
        };
    var all = new ArrayList<String>();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<List<String>>> seen = IntStream.range(0, 3).mapToObj(_ -> threads.submit(passes)).toList();
      devices.forEach(device -> endUpgrade(race, device, Outcome.UPGRADED));
      for (Future<List<String>> one : seen) {
        all.addAll(one.get());
      }
    }

    assertThat(all).hasSize(60).doesNotHaveDuplicates();
    assertThat(counts.failureCounts(race, 0).counts()).containsEntry(TargetResult.UPGRADED, 60);
  }
}
