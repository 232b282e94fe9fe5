package dev.uplift.fleet.rollout;

import static dev.uplift.fleet.rollout.TargetState.ENDED;
import static dev.uplift.fleet.rollout.TargetState.PENDING;
import static dev.uplift.fleet.rollout.TargetState.STARTED;
import static dev.uplift.fleet.rollout.TargetState.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.rollout.decision.SnapshotScenario;
import dev.uplift.fleet.rollout.plan.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The transitions of rollouts and their devices.
final class RolloutStateTest {
  private static final Instant NOON = SnapshotScenario.NOON;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          draft            | start
          planned          | start pause abort abort-running change-rules
          running          | pause abort abort-running next-wave skip-remaining retry-failed roll-back-wave skip-device add-device change-rules
          waiting-approval | pause abort abort-running approve deny retry-failed roll-back-wave skip-device add-device change-rules
          paused           | resume abort abort-running skip-remaining retry-failed roll-back-wave skip-device add-device change-rules
          rolling-back     | abort abort-running change-rules
          aborting         | abort-running
          ended            |
          """)
  void allowsOnlySensibleActions(String state, @Nullable String actions) {
    List<String> allowed =
        Arrays.stream(OperatorAction.values())
            .filter(wish -> state(state).refusal(wish).isEmpty())
            .map(OperatorAction::toString)
            .toList();

    assertThat(String.join(" ", allowed)).isEqualTo(actions == null ? "" : actions);
  }

  @Test
  void aRejectionNamesThePossibleActions() {
    assertThat(RolloutState.PLANNED.refusal(OperatorAction.RESUME))
        .contains("the rollout is planned; possible now: start, pause, abort, abort-running," + " change-rules");
    assertThat(RolloutState.ENDED.refusal(OperatorAction.RESUME)).contains("the rollout has ended; start a new one");
  }

  @Test
  void stateFollowsFromTheDecision() {
    assertThat(
            Stream.of(
                new Decision.Start(1, 0, 1, ""),
                new Decision.NextWave(""),
                new Decision.Pause(""),
                new Decision.Abort(""),
                new Decision.RollBackWave(""),
                new Decision.Finish(RolloutOutcome.PARTIAL, ""),
                waitFor(WaitReason.APPROVAL),
                waitFor(WaitReason.PAUSED),
                waitFor(WaitReason.SOAK),
                waitFor(WaitReason.WINDOW),
                waitFor(WaitReason.ROLLING_BACK),
                waitFor(WaitReason.ABORTING)))
        .extracting(decision -> RolloutState.after(decision).toString())
        .containsExactly(
            "running",
            "running",
            "paused",
            "aborting",
            "rolling-back",
            "ended",
            "waiting-approval",
            "paused",
            "running",
            "running",
            "rolling-back",
            "aborting");
  }

  @Test
  void aDeviceThatEndedIsOnlyRetriedOrRolledBack() {
    assertThat(PENDING.canBecome(STARTING)).isTrue();
    assertThat(PENDING.canBecome(STARTED)).isFalse();
    assertThat(STARTED.canBecome(PENDING)).isFalse();
    assertThat(Arrays.stream(TargetState.values()).filter(ENDED::canBecome))
        .containsExactly(PENDING, TargetState.REVERT_PENDING);
  }

  @Test
  void aDeviceThatWaitsForItsRollbackIsRolledBackOrStays() {
    assertThat(Arrays.stream(TargetState.values()).filter(TargetState.REVERT_PENDING::canBecome))
        .containsExactly(ENDED, TargetState.REVERTING);
  }

  @ParameterizedTest
  @CsvSource({
    "UPGRADED, ROLLED_BACK, ROLLED_BACK",
    "UPGRADED, NO_ACTION, ROLLED_BACK",
    "UNHEALTHY, ROLLED_BACK, ROLLED_BACK",
    "UPGRADED, PARTIAL, PARTIAL",
    "UPGRADED, STRANDED, STRANDED",
    "UPGRADED, DECLINED, UPGRADED",
    "UNHEALTHY, EXPIRED, UNHEALTHY",
    "PARTIAL, ABORTED, PARTIAL",
  })
  void resultOfADeviceWhoseUpgradeWasReverted(TargetResult before, Outcome revert, TargetResult after) {
    assertThat(before.afterRevert(revert)).isEqualTo(after);
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void everyOutcomeIsATargetResultOfTheSameName(Outcome outcome) {
    assertThat(TargetResult.of(outcome)).hasToString(outcome.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "PREPARE_FAILED, RETRYABLE, 1, 2026-11-21T12:10:00Z",
    "PREPARE_FAILED, RETRYABLE, 2, 2026-11-21T12:20:00Z",
    "PREPARE_FAILED, RETRYABLE, 3,",
    "ROLLED_BACK, RETRYABLE, 1, 2026-11-21T12:10:00Z",
    "PREPARE_FAILED, FINAL, 1,",
    "DECLINED, DECLINED, 1, 2026-11-21T12:10:00Z",
    "STRANDED, RETRYABLE, 1,",
    "PARTIAL, RETRYABLE, 1,",
    "ABORTED, RETRYABLE, 1,",
    "UPGRADED, RETRYABLE, 1,"
  })
  void isRetriedAsOftenAsItsErrorAllows(TargetResult result, ErrorClass error, int attempt, @Nullable Instant again) {
    RetryPolicy retryPolicy =
        new RetryPolicy(Map.of(ErrorClass.RETRYABLE, 2, ErrorClass.DECLINED, 1), Duration.ofMinutes(10));

    assertThat(retryPolicy.retryAt(result, error, attempt, NOON)).isEqualTo(Optional.ofNullable(again));
  }

  @Test
  void nothingIsRetriedByDefault() {
    assertThat(RetryPolicy.NONE.retryAt(TargetResult.PREPARE_FAILED, ErrorClass.RETRYABLE, 1, NOON)).isEmpty();
  }

  @Test
  void aDeviceGoesToTheHigherPriorityThenToTheOlderRollout() {
    RolloutPrecedence urgent = new RolloutPrecedence(5, NOON, "c");
    RolloutPrecedence older = new RolloutPrecedence(0, NOON.minusSeconds(1), "b");
    RolloutPrecedence newer = new RolloutPrecedence(0, NOON, "a");

    assertThat(Stream.of(newer, older, urgent).sorted()).containsExactly(urgent, older, newer);
    assertThat(urgent.comesBefore(older)).isTrue();
    assertThat(newer.comesBefore(newer)).isFalse();
  }

  private static Decision waitFor(WaitReason reason) {
    return new Decision.Wait(reason, Optional.empty(), "");
  }

  private static RolloutState state(String word) {
    return Arrays.stream(RolloutState.values())
        .filter(state -> state.toString().equals(word))
        .findFirst()
        .orElseThrow();
  }
}
