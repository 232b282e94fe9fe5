package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.WaveCounts;
import dev.uplift.store.Membership.NewWave;
import dev.uplift.store.TargetRow.Turn;
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

/// What a pass reads before it decides.
final class RolloutQueueTest extends OnRollouts {
  @Test
  void candidatesComeInTheOrderOfTheirTurns() {
    RolloutId north = north();
    targets.begin(north, List.of("c", "d"), true);
    targets.started(north, "c");
    targets.started(north, "d");

    assertThat(names(queue.candidates(north, 1, Turn.FIRST, 10))).containsExactly("a");
    assertThat(names(queue.candidates(north, 2, Turn.FIRST, 10))).containsExactly("a", "c", "b");
    List<TargetRow> page = queue.candidates(north, 3, Turn.FIRST, 2);
    assertThat(names(page)).containsExactly("a", "c");
    assertThat(names(queue.candidates(north, 3, page.getLast().turn(), 10)))
        .containsExactly("b", "d", "e", "f");
  }

  @Test
  void whatNobodyKnowsOfIsStartedAgainUnderTheSameId() {
    RolloutId north = north();
    targets.begin(north, List.of("a"), false);
    targets.started(north, "a");
    start(north, "b");

    assertThat(queue.lost(north, clock.instant())).isEmpty();
    clock.pass(Duration.ofMinutes(5));
    assertThat(names(queue.lost(north, clock.instant()))).containsExactly("a");
    assertThat(targets.startAgain(north, "a")).isTrue();
    assertThat(queue.in(north, TargetState.STARTING).getFirst().upgrade()).contains("north.a.1");
  }

  @Test
  void aDeviceIsBusyWithAnotherRolloutOrAnotherUpgradeAndNotWithItself() {
    RolloutId north = north();
    RolloutId south = running("south", List.of("a", "b", "c"));
    start(north, "d");
    start(south, "a");
    targets.begin(south, List.of("b"), true);
    upgrades.begin(new NewUpgrade("by-hand", device("f"), OS, "ann", "", "run-1"));

    assertThat(queue.busyElsewhere(north))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("a", "rollout south", "b", "rollout south", "f", "upgrade by-hand"));
    assertThat(queue.busyElsewhere(south))
        .containsExactlyInAnyOrderEntriesOf(Map.of("d", "rollout north", "f", "upgrade by-hand"));

    ends(south, "a", Outcome.UPGRADED);
    collect(south);
    assertThat(queue.busyElsewhere(north)).doesNotContainKey("a");
  }

  @Test
  void ofTwoRolloutsThatWantADeviceTheFirstByRankHasIt() {
    RolloutId north = north();
    clock.pass(Duration.ofSeconds(1));
    RolloutId south = running("south", List.of("a", "c"), List.of("d"));
    rollouts.enter(south, 1);
    RolloutRow younger = rollouts.find(south).orElseThrow();
    RolloutRow older = rollouts.find(north).orElseThrow();
    List<String> wanted = List.of("a", "c", "d");

    assertThat(queue.outranked(younger, wanted, clock.instant()))
        .containsExactlyEntriesOf(Map.of("a", "north"));
    assertThat(queue.outranked(older, wanted, clock.instant())).isEmpty();

    rollouts.stand(north, RolloutState.PAUSED, Optional.empty(), "", Optional.empty());
    assertThat(queue.outranked(younger, wanted, clock.instant())).isEmpty();
  }

  @Test
  void devicesAreCountedWhereTheyAre() {
    RolloutId north = north();
    start(north, "a", "b", "d");
    targets.begin(north, List.of("c"), true);
    targets.skip(north, "f");
    ends(north, "a", Outcome.UPGRADED);
    ends(north, "d", Outcome.STRANDED);
    collect(north);

    TargetCounts found = counts.counts(north);

    assertThat(found.of(2)).isEqualTo(new WaveCounts(0, 1, 1, 0, Map.of()));
    assertThat(found.before(2)).isEqualTo(new WaveCounts(0, 0, 0, 0, Map.of(Verdict.UPGRADED, 1)));
    assertThat(found.after(2)).isEqualTo(new WaveCounts(1, 0, 0, 1, Map.of(Verdict.STRANDED, 1)));
    assertThat(found.all())
        .isEqualTo(new WaveCounts(1, 1, 1, 1, Map.of(Verdict.UPGRADED, 1, Verdict.STRANDED, 1)));
    assertThat(found.devices()).isEqualTo(6);
  }

  @Test
  void onlyTheLastMinuteCountsForThePace() {
    RolloutId north = north();
    start(north, "a");
    var second = clock.pass(Duration.ofSeconds(50));
    start(north, "b", "c");

    assertThat(counts.pacing(north, second).inLastMinute()).isEqualTo(3);
    var now = clock.pass(Duration.ofSeconds(20));
    assertThat(counts.pacing(north, now).inLastMinute()).isEqualTo(2);
    assertThat(counts.pacing(north, now).oldest()).contains(second);
  }

  @Test
  void aGroupIsLoadedByWhatIsInWorkAnywhereAndWhatIsNotVerified() {
    var devices = new Devices(database, clock);
    for (String name : List.of("a", "b", "c", "d", "e", "f")) {
      devices.put(
          new DeviceSpec(
              device(name),
              hosts("host-" + name),
              name.equals("f") ? Map.of() : Map.of("ha", "of-" + name),
              ZoneId.of("UTC")),
          Expected.absent());
    }
    RolloutId north = north();
    RolloutId south = running("south", List.of("e"));
    start(north, "a", "b", "d", "f");
    start(south, "e");
    targets.begin(north, List.of("c"), true);
    ends(north, "a", Outcome.STRANDED);
    ends(north, "b", Outcome.UPGRADED);
    ends(north, "d", Outcome.ROLLED_BACK);
    collect(north);
    var soaked = clock.instant().minusSeconds(2);

    assertThat(counts.loads(north, "ha", 2, soaked))
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "of-a", "b", "of-b", "e", "of-e"));
    assertThat(counts.loads(north, "ha", 2, clock.instant())).containsOnlyKeys("a", "e");
  }

  @Test
  void failuresAreGroupedByTheirFirstError() {
    RolloutId north = north();
    start(north, "a", "b", "c", "d");
    ends(north, "a", Outcome.ROLLED_BACK);
    ends(north, "b", Outcome.STRANDED);
    ends(north, "c", Outcome.UPGRADED);
    collect(north);
    targets.retry(north, "a", Optional.empty());

    assertThat(counts.failures(north, 1))
        .containsExactly(new FailureGroup("health", "final", "does not answer", 2, List.of("a")));
  }

  @Test
  void devicesAreListedByNameAndByWhatIsAsked() {
    RolloutId north = north();
    start(north, "a", "b");
    ends(north, "b", Outcome.UPGRADED);
    collect(north);

    Page<TargetRow> page = counts.list(north, TargetFilter.ALL, PageRequest.first(4));
    assertThat(names(page.rows())).containsExactly("a", "b", "c", "d");
    PageRequest second = PageRequest.first(4).after(page).orElseThrow();
    assertThat(names(counts.list(north, TargetFilter.ALL, second).rows()))
        .containsExactly("e", "f");
    assertThat(listed(north, OptionalInt.of(2), Optional.empty(), Optional.empty()))
        .containsExactly("b", "c");
    assertThat(listed(north, OptionalInt.of(2), Optional.of(TargetState.PENDING), Optional.empty()))
        .containsExactly("c");
    assertThat(listed(north, OptionalInt.empty(), Optional.empty(), Optional.of(Verdict.UPGRADED)))
        .containsExactly("b");
  }

  private List<String> listed(
      RolloutId id, OptionalInt wave, Optional<TargetState> state, Optional<Verdict> verdict) {
    var filter = new TargetFilter(wave, state, verdict);
    return names(counts.list(id, filter, PageRequest.first(10)).rows());
  }

  @Test
  @Timeout(180)
  void ofManyPassesAtOnceEachUpgradeIsCollectedByOne() throws Exception {
    List<String> devices = IntStream.range(0, 60).mapToObj(i -> "d" + i).toList();
    rollouts.create(
        rollout("race", RolloutState.RUNNING),
        new Membership(List.of(new NewWave(1, 0, "all", devices)), List.of()));
    RolloutId race = id("race");
    start(race, devices.toArray(String[]::new));
    Callable<List<String>> passes =
        () -> {
          var seen = new ArrayList<String>();
          while (seen.size() < 60 && rollouts.find(race).orElseThrow().verdicts() < 60) {
            seen.addAll(collect(race));
          }
          return seen;
        };
    var all = new ArrayList<String>();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<List<String>>> seen =
          IntStream.range(0, 3).mapToObj(_ -> threads.submit(passes)).toList();
      devices.forEach(device -> ends(race, device, Outcome.UPGRADED));
      for (Future<List<String>> one : seen) {
        all.addAll(one.get());
      }
    }

    assertThat(all).hasSize(60).doesNotHaveDuplicates();
    assertThat(counts.judged(race, 0).counts()).containsEntry(Verdict.UPGRADED, 60);
  }
}
