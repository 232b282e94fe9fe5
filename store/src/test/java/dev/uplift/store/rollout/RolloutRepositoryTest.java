package dev.uplift.store.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RolloutRepositoryTest extends RolloutRepositoryScenario {
  private static final PageRequest ALL = PageRequest.first(100);

  @Test
  void aRolloutIsLaunchedOnceWithAllItsDevices() {
    var members =
        new RolloutMembership(
            List.of(new NewWave(1, -1, "canary", List.of("a")), new NewWave(2, 0, "rest", List.of("c", "b"))),
            List.of(leftOut("z"), leftOut("y")));
    Instant now = clock.instant();

    RolloutRow row = rollouts.create(rollout("north", RolloutState.RUNNING), members);

    assertThat(row)
        .isEqualTo(
            new RolloutRow(
                tenant,
                "north",
                "1.5 north",
                OS.packageName(),
                OS.version(),
                "{\"plan\":1}",
                "{\"rules\":1}",
                "{}",
                RolloutState.RUNNING,
                0,
                2,
                0,
                0,
                0,
                "ann",
                now,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                null,
                Optional.empty(),
                2,
                ""));
    assertThat(row.id()).isEqualTo(id("north"));
    assertThat(row.release()).isEqualTo(OS);
    assertThat(row.waiting()).isEmpty();
    assertThat(exclusions.list(row.id(), ALL).rows()).containsExactly(leftOut("y"), leftOut("z"));
    assertThat(names(queue.candidates(row.id(), 9, TargetRow.QueuePosition.FIRST, 9))).containsExactly("a", "c", "b");
    assertThat(rollouts.create(rollout("north", RolloutState.DRAFT), members)).isEqualTo(row);
    assertThat(rollouts.freeze(row.id(), new RolloutMembership(List.of(), List.of()))).isFalse();
  }

  @Test
  void aRolloutOfThousandsIsCreatedAtomically() {
    List<String> devices = IntStream.range(0, 3000).mapToObj(i -> "d" + i).toList();
    var twice = new ArrayList<>(devices);
    twice.add("d0");
    var wrong = new RolloutMembership(List.of(new NewWave(1, 0, "all", twice)), List.of());

    assertThatThrownBy(() -> rollouts.create(rollout("big", RolloutState.RUNNING), wrong));
    assertThat(rollouts.find(id("big"))).isEmpty();

    RolloutId big = runningRollout("big", devices);
    assertThat(counts.targetCounts(big).deviceCount()).isEqualTo(3000);
    assertThat(names(queue.candidates(big, 1, new TargetRow.QueuePosition(1, 2990), 500)))
        .isEqualTo(devices.subList(2991, 3000));
  }

  @Test
  void aDraftMayBeChangedAndDeletedButNotARunningOne() {
    RolloutRow draft = rollouts.create(rollout("draft", RolloutState.DRAFT));
    var other =
        new NewRollout(
            draft.id(), "other", OS, "{}", "{}", "{}", RolloutState.RUNNING, "bob", Optional.of(clock.instant()), 7);

    RolloutRow changed = rollouts.updateDraft(other).orElseThrow();

    assertThat(changed.title()).isEqualTo("other");
    assertThat(changed.priority()).isEqualTo(7);
    assertThat(changed.startAt()).contains(clock.instant());
    assertThat(changed.state()).isEqualTo(RolloutState.DRAFT);
    assertThat(changed.createdBy()).isEqualTo("ann");
    assertThat(changed.revision()).isEqualTo(2);
    rollouts.setState(draft.id(), RolloutState.PLANNED, Optional.empty(), "", Optional.empty());
    assertThat(rollouts.updateDraft(other)).isEmpty();
    assertThat(rollouts.deleteDraft(draft.id())).isFalse();
    rollouts.setState(draft.id(), RolloutState.DRAFT, Optional.empty(), "", Optional.empty());
    assertThat(rollouts.deleteDraft(draft.id())).isTrue();
    assertThat(rollouts.find(draft.id())).isEmpty();
  }

  @Test
  void anUnchangedWaitKeepsItsStart() {
    RolloutId north = north();
    Instant begun = clock.instant();
    rollouts.setState(
        north, RolloutState.RUNNING, Optional.of(WaitReason.UPGRADES_RUNNING), "3 in progress", Optional.empty());
    Instant later = clock.advance(Duration.ofMinutes(5));

    RolloutRow same =
        rollouts.setState(
            north, RolloutState.RUNNING, Optional.of(WaitReason.UPGRADES_RUNNING), "2", Optional.of(later));
    RolloutRow other =
        rollouts.setState(north, RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), "bob", Optional.empty());

    assertThat(same.waiting()).contains(new RolloutWait(WaitReason.UPGRADES_RUNNING, "2", begun, Optional.of(later)));
    assertThat(other.state()).isEqualTo(RolloutState.PAUSED);
    assertThat(other.waiting().orElseThrow().since()).isEqualTo(later);
    assertThat(rollouts.setState(north, RolloutState.RUNNING, Optional.empty(), "", Optional.empty()).waiting())
        .isEmpty();
  }

  @Test
  void rulesAndControlHaveRevisionsAndWaitsHaveNone() {
    RolloutId north = north();
    long before = rollouts.find(north).orElseThrow().revision();

    rollouts.setState(north, RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), "ann", Optional.empty());
    assertThat(rollouts.setRules(north, "{\"rules\":2}").revision()).isEqualTo(before + 1);
    RolloutRow steered = rollouts.setControl(north, "{\"paused_by\":\"ann\"}");

    assertThat(steered.revision()).isEqualTo(before + 2);
    assertThat(steered.rules()).isEqualTo("{\"rules\":2}");
    assertThat(steered.control()).isEqualTo("{\"paused_by\":\"ann\"}");
  }

  @Test
  void aNewWaveEndsTheEarlierOnesAndResetsTheCounts() {
    RolloutId north = north();
    Instant first = clock.instant();
    start(north, "a");
    endUpgrade(north, "a", Outcome.UPGRADED);
    recordFinished(north);
    var waves = database.repository(RolloutWaveRepository.class);
    waves.approve(north, 2, "bob", "looks good");
    waves.approve(north, 2, "eve", "me too");
    Instant second = clock.advance(Duration.ofHours(1));

    RolloutRow row = rollouts.startWave(north, 2);
    waves.markCompleted(north, 2, "bob");

    assertThat(row.currentWave()).isEqualTo(2);
    assertThat(row.baselineResultNumber()).isEqualTo(1);
    assertThat(row.startedAt()).contains(first);
    assertThat(waves.find(north, 1).orElseThrow().completedAt()).contains(second);
    assertThat(waves.find(north, 1).orElseThrow().lastEndedAt()).contains(first.plusSeconds(1));
    WaveRow now = waves.list(north).get(1);
    assertThat(now.approval().orElseThrow().by()).isEqualTo("bob");
    assertThat(now.approval().orElseThrow().remark()).isEqualTo("looks good");
    assertThat(now.startedAt()).contains(second);
    assertThat(now.completedBy()).contains("bob");
    assertThat(now.size()).isEqualTo(2);
    assertThat(waves.list(north)).extracting(WaveRow::number).containsExactly(1, 2, 3);
  }

  @Test
  void theFirstOutcomeOfARolloutStays() {
    RolloutId north = north();
    Instant ended = clock.advance(Duration.ofHours(1));
    rollouts.end(north, RolloutOutcome.PARTIAL);
    clock.advance(Duration.ofHours(1));

    RolloutRow row = rollouts.end(north, RolloutOutcome.ABORTED);

    assertThat(row.state()).isEqualTo(RolloutState.ENDED);
    assertThat(row.outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(row.endedAt()).contains(ended);
    assertThat(row.waiting()).isEmpty();
  }

  @Test
  void rolloutsAreListedNewestFirstAPageAtATime() {
    for (int i = 0; i < 5; i++) {
      rollouts.create(rollout("r" + i, i == 3 ? RolloutState.DRAFT : RolloutState.RUNNING));
      clock.advance(Duration.ofMillis(i % 2));
    }
    var seen = new ArrayList<String>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(2));
    while (next.isPresent()) {
      Page<RolloutRow> page = rollouts.list(tenant, RolloutFilter.ALL, next.get());
      page.rows().forEach(row -> seen.add(row.id().name()));
      next = next.get().next(page);
    }

    assertThat(seen).containsExactly("r4", "r3", "r2", "r1", "r0");
    var drafts = new RolloutFilter(Optional.of(RolloutState.DRAFT), Optional.of("os"), Optional.empty());
    assertThat(rollouts.list(tenant, drafts, ALL).rows()).extracting(row -> row.id().name()).containsExactly("r3");
    assertThat(rollouts.findOpen())
        .filteredOn(row -> row.id().tenant().equals(tenant))
        .extracting(row -> row.id().name())
        .containsExactly("r0", "r1", "r2", "r4");
    assertThat(rollouts.list(newTenant(), RolloutFilter.ALL, ALL).rows()).isEmpty();
  }

  @Test
  void rolloutsThatWaitForADeviceAreFound() {
    RolloutId north = north();
    runningRollout("south", List.of("a"));
    rollouts.create(rollout("draft", RolloutState.DRAFT));
    start(north, "a");

    assertThat(ofDevices.findOpenWithWaitingDevice(tenant, "a")).containsExactly(id("south"));
    assertThat(ofDevices.findOpenWithWaitingDevice(tenant, "b")).containsExactly(north);
    assertThat(ofDevices.findOpenWithWaitingDevice(tenant, "unknown")).isEmpty();
  }

  @Test
  void aRowIsLockedWithinATransactionOnly() {
    assertThatThrownBy(() -> rollouts.lock(id("north"))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTenantThatDoesNotExistHasNoRollouts() {
    var unknown =
        new NewRollout(
            new RolloutId("unknown", "r"), "", OS, "", "", "", RolloutState.DRAFT, "ann", Optional.empty(), 0);

    assertThatThrownBy(() -> rollouts.create(unknown)).isInstanceOf(NoSuchTenant.class);
  }
}
