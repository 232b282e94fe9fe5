package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.TargetRow;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Devices of which a host is not heard when their turn comes.
final class OfflineDevicesTest extends RolloutScenario {
  private static String[] first(String[] names, int count) {
    return Arrays.copyOf(names, count);
  }

  private static RolloutWait awaitWait(RolloutId id, WaitReason reason) {
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.row(id).waiting().filter(wait -> wait.reason() == reason).isPresent());
    return worker.row(id).waiting().orElseThrow();
  }

  private static List<Optional<TargetResult>> results(RolloutId id) {
    return worker.targets(id).stream().map(TargetRow::result).toList();
  }

  private static RolloutPlan withDeadline(RolloutPlan plan, Instant notAfter) {
    return new RolloutPlan(
        plan.release(),
        plan.selection(),
        plan.everything(),
        plan.waves(),
        plan.limits(),
        plan.thresholds(),
        plan.retries(),
        plan.window(),
        plan.lateJoiners(),
        plan.startAt(),
        Optional.of(notAfter),
        plan.priority(),
        plan.onBusy());
  }

  @Test
  void takeNoPlaceOfOthersAndJoinWhenTheyAreHeard(TestInfo info) {
    String fleet = fleet(info, 10);
    String[] silent = first(names(fleet, 10), 8);
    worker.presence.silence(silent);

    RolloutId id = worker.start(inOneWave(fleet, 2));

    RolloutWait wait = awaitWait(id, WaitReason.OFFLINE);
    assertThat(wait.message()).startsWith("8 devices are offline");
    assertThat(worker.targets(id)).filteredOn(target -> target.result().equals(upgraded())).hasSize(2);
    assertThat(worker.targets(id))
        .filteredOn(target -> target.offlineSince().isPresent())
        .extracting(TargetRow::device)
        .containsExactlyInAnyOrder(silent);
    assertThat(preparing(id)).isEqualTo(2);

    worker.presence.hear(silent);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
  }

  @Test
  void areLeftOutAtTheDeadlineWhichIsNoFailure(TestInfo info) {
    String fleet = fleet(info, 3);
    worker.presence.silence(first(names(fleet, 3), 1));

    RolloutId id = worker.start(withDeadline(inOneWave(fleet, 3), Instant.now().plusSeconds(20)));

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(results(id)).containsExactlyInAnyOrder(upgraded(), upgraded(), Optional.of(TargetResult.OFFLINE));
    assertThat(worker.targets(id))
        .filteredOn(target -> target.offlineSince().isPresent())
        .singleElement()
        .satisfies(target -> {
          assertThat(target.state()).isEqualTo(TargetState.ENDED);
          assertThat(target.upgrade()).isEmpty();
          assertThat(target.error().orElseThrow().code()).isEqualTo("offline");
        });
    assertThat(decisions(id)).doesNotContain("pause");
  }

  @Test
  void doNotHoldUpTheNextWave(TestInfo info) {
    String fleet = fleet(info, 5);
    RolloutId id = worker.create(inTwoWaves(fleet, 2, 5));
    String silent =
        worker.targets(id).stream()
            .filter(target -> target.queuePosition().wave() == 1)
            .map(TargetRow::device)
            .findFirst()
            .orElseThrow();
    worker.presence.silence(silent);

    worker.start(id);

    awaitWait(id, WaitReason.OFFLINE);
    assertThat(worker.row(id).currentWave()).isEqualTo(2);
    assertThat(worker.targets(id)).filteredOn(target -> target.result().equals(upgraded())).hasSize(4);

    worker.presence.hear(silent);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void nothingIsStartedWhileThisServerCannotTell(TestInfo info) {
    String fleet = fleet(info, 2);
    worker.presence.setKnown(false);

    RolloutId id = worker.start(inOneWave(fleet, 2));

    assertThat(awaitWait(id, WaitReason.PRESENCE_UNKNOWN).message()).startsWith("presence-unknown: 2 devices");
    assertThat(preparing(id)).isZero();

    worker.presence.setKnown(true);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void anAbortDoesNotWaitForThem(TestInfo info) {
    String fleet = fleet(info, 1);
    worker.presence.silence(names(fleet, 1));
    RolloutId id = worker.start(inOneWave(fleet, 1));
    awaitWait(id, WaitReason.OFFLINE);

    worker.update(id, OperatorAction.ABORT);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
  }
}
