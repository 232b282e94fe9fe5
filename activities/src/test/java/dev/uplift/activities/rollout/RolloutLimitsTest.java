package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.services.TestStacks;
import dev.uplift.store.rollout.TargetRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Concurrent upgrades and starts per minute, counted on the hosts.
final class RolloutLimitsTest extends RolloutScenario {
  @Test
  void theLimitOfConcurrentUpgradesIsReachedAndNotExceeded(TestInfo info) {
    String fleet = fleet(info, 24);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 5));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 5);
    worker.hosts.unblock();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.hosts.maxConcurrent(device -> device.startsWith(fleet))).isEqualTo(5);
  }

  @Test
  void aWaveMayHaveALimitOfItsOwn(TestInfo info) {
    String fleet = fleet(info, 12);
    RolloutPlan plan =
        with(
            RolloutTestWorker.plan(fleet),
            List.of(WaveSpec.of(new WaveSize.Count(6)).withMaxParallel(2), WaveSpec.of(new WaveSize.Rest())),
            limits(4));
    RolloutId id = worker.start(plan);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.hosts.maxConcurrent(device -> isIn(id, device, 1))).isBetween(1L, 2L);
    assertThat(worker.hosts.maxConcurrent(device -> isIn(id, device, 2))).isBetween(1L, 4L);
  }

  private static boolean isIn(RolloutId id, String device, int wave) {
    return worker
        .repositories
        .queue()
        .find(id, device)
        .filter(target -> target.queuePosition().wave() == wave)
        .isPresent();
  }

  @Test
  void aGroupLimitIsNotExceeded(TestInfo info) {
    String fleet = fleet(info, 0);
    for (int i = 0; i < 12; i++) {
      String group = fleet + "-" + "abc".charAt(i % 3);
      worker.register(group + i, Map.of("fleet", fleet, "ha", group), "");
    }
    var rolloutLimits = new RolloutLimits(100, 0, Optional.empty(), List.of(new GroupLimit("ha", 2)));
    RolloutPlan plan = with(RolloutTestWorker.plan(fleet), List.of(WaveSpec.of(new WaveSize.Rest())), rolloutLimits);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(plan);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 6);
    worker.hosts.unblock();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    for (String group : List.of("-a", "-b", "-c")) {
      assertThat(worker.hosts.maxConcurrent(device -> device.startsWith(fleet + group))).isBetween(1L, 2L);
    }
  }

  @Test
  void twoRolloutsShareAGroupLimit(TestInfo info) {
    String fleet = fleet(info, 0);
    for (int i = 0; i < 8; i++) {
      String half = i % 2 == 0 ? fleet + "-even" : fleet + "-odd";
      worker.register(fleet + "-" + i, Map.of("fleet", half, "ha", fleet), "");
    }
    var rolloutLimits = new RolloutLimits(100, 0, Optional.empty(), List.of(new GroupLimit("ha", 1)));
    List<WaveSpec> all = List.of(WaveSpec.of(new WaveSize.Rest()));
    RolloutId even = worker.start(with(RolloutTestWorker.plan(fleet + "-even"), all, rolloutLimits));
    RolloutId odd = worker.start(with(RolloutTestWorker.plan(fleet + "-odd"), all, rolloutLimits));

    assertThat(ended(even).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(ended(odd).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.hosts.maxConcurrent(device -> device.startsWith(fleet))).isEqualTo(1);
  }

  @Test
  void startsPerMinuteAreLimitedIncludingRetries(TestInfo info) {
    String fleet = fleet(info, 8);
    worker.hosts.fail(names(fleet, 8));
    var rolloutLimits = new RolloutLimits(2, 0, Optional.of(3), List.of());
    RolloutId id =
        worker.create(with(RolloutTestWorker.plan(fleet), List.of(WaveSpec.of(new WaveSize.Rest())), rolloutLimits));
    assertThat(worker.passOfAnotherServer(id).toStart()).hasSize(2);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.repositories.queue().finishedUpgrades(id).size() == 2);
    assertThat(worker.passOfAnotherServer(id).row().state()).isEqualTo(RolloutState.PAUSED);
    assertThat(worker.updateWithoutWorkflow(id, OperatorAction.RETRY_FAILED).applied()).isTrue();
    assertThat(worker.updateWithoutWorkflow(id, OperatorAction.RESUME).applied()).isTrue();

    assertThat(worker.passOfAnotherServer(id).toStart()).extracting(TargetRow::attempt).containsExactly(2);
    assertThat(worker.passOfAnotherServer(id).toStart()).isEmpty();
    assertThat(worker.row(id).waiting().orElseThrow().reason()).isEqualTo(WaitReason.RATE_LIMIT);
    assertThat(worker.passAt(id, Instant.now().plusSeconds(61)).toStart()).isNotEmpty();
  }

  @Test
  void afterTheAnswerToAPauseNoDeviceIsBeingStarted(TestInfo info) {
    String fleet = fleet(info, 60);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 100));
    await()
        .pollInterval(Duration.ofMillis(1))
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.countIn(id, TargetState.PENDING) < 60);

    assertThat(worker.update(id, OperatorAction.PAUSE)).isInstanceOf(UpdateResult.Completed.class);
    assertThat(worker.countIn(id, TargetState.STARTING)).isZero();
    long begun = countRunning(names(fleet, 60));
    worker.hosts.unblock();

    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.countIn(id, TargetState.ENDED) + worker.countIn(id, TargetState.PENDING) == 60);
    assertThat(worker.countIn(id, TargetState.ENDED)).isEqualTo(begun);
    assertThat(preparing(id)).isEqualTo(begun);
  }

  private static long countRunning(String... devices) {
    return Stream.of(devices)
        .filter(device -> worker.repositories.common().upgrades().findRunning(TestStacks.TENANT, device).isPresent())
        .count();
  }
}
