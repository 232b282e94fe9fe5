package dev.uplift.fleet.rollout;

import static dev.uplift.fleet.rollout.TargetState.ENDED;
import static dev.uplift.fleet.rollout.TargetState.PENDING;
import static dev.uplift.fleet.rollout.TargetState.STARTED;
import static dev.uplift.fleet.rollout.TargetState.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Outcome;
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

/// What may follow upon what.
final class RolloutStateTest {
  private static final Instant NOON = Scene.NOON;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          draft            | start
          planned          | start pause abort abort-hard change-rules
          running          | pause abort abort-hard next-wave mark-done retry-failed roll-back-wave skip-device add-device change-rules
          waiting-approval | pause abort abort-hard approve deny retry-failed roll-back-wave skip-device add-device change-rules
          paused           | resume abort abort-hard mark-done retry-failed roll-back-wave skip-device add-device change-rules
          rolling-back     | abort abort-hard change-rules
          aborting         | abort-hard
          ended            |
          """)
  void allowsWhatMakesSense(String state, @Nullable String wishes) {
    List<String> allowed =
        Arrays.stream(Steer.values())
            .filter(wish -> state(state).refuses(wish).isEmpty())
            .map(Steer::toString)
            .toList();

    assertThat(String.join(" ", allowed)).isEqualTo(wishes == null ? "" : wishes);
  }

  @Test
  void aRefusalSaysWhatIsPossible() {
    assertThat(RolloutState.PLANNED.refuses(Steer.RESUME))
        .contains(
            "the rollout is planned; possible now: start, pause, abort, abort-hard, change-rules");
    assertThat(RolloutState.ENDED.refuses(Steer.RESUME))
        .contains("the rollout has ended; start a new one");
  }

  @Test
  void followsFromTheDecision() {
    assertThat(
            Stream.of(
                new Decision.Start(1, 0, 1, ""),
                new Decision.NextWave(""),
                new Decision.Pause(""),
                new Decision.Abort(""),
                new Decision.RollBackWave(""),
                new Decision.Finish(RolloutOutcome.PARTIAL, ""),
                waitFor(Waiting.APPROVAL),
                waitFor(Waiting.PAUSED),
                waitFor(Waiting.SOAK),
                waitFor(Waiting.WINDOW),
                waitFor(Waiting.ROLLING_BACK),
                waitFor(Waiting.ABORTING)))
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
  void aDeviceThatEndedIsOnlyTriedAgainOrTakenBack() {
    assertThat(PENDING.mayBecome(STARTING)).isTrue();
    assertThat(PENDING.mayBecome(STARTED)).isFalse();
    assertThat(STARTED.mayBecome(PENDING)).isFalse();
    assertThat(Arrays.stream(TargetState.values()).filter(ENDED::mayBecome))
        .containsExactly(PENDING, TargetState.TO_REVERT);
  }

  @Test
  void aDeviceThatWaitsToGoBackGoesBackOrStays() {
    assertThat(Arrays.stream(TargetState.values()).filter(TargetState.TO_REVERT::mayBecome))
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
  void aDeviceWhoseUpgradeWasToBeTakenBackIs(Verdict before, Outcome revert, Verdict after) {
    assertThat(before.after(revert)).isEqualTo(after);
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void everyOutcomeIsAVerdictOfTheSameName(Outcome outcome) {
    assertThat(Verdict.of(outcome)).hasToString(outcome.toString());
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
  void isTriedAgainAsOftenAsItsErrorAllows(
      Verdict verdict, ErrorClass error, int attempt, @Nullable Instant again) {
    Retries retries =
        new Retries(
            Map.of(ErrorClass.RETRYABLE, 2, ErrorClass.DECLINED, 1), Duration.ofMinutes(10));

    assertThat(retries.after(verdict, error, attempt, NOON)).isEqualTo(Optional.ofNullable(again));
  }

  @Test
  void nobodySaysSoAndNothingIsTriedAgain() {
    assertThat(Retries.NONE.after(Verdict.PREPARE_FAILED, ErrorClass.RETRYABLE, 1, NOON)).isEmpty();
  }

  @Test
  void aDeviceGoesToTheHigherPriorityThenToTheOlderRollout() {
    Rank urgent = new Rank(5, NOON, "c");
    Rank older = new Rank(0, NOON.minusSeconds(1), "b");
    Rank newer = new Rank(0, NOON, "a");

    assertThat(Stream.of(newer, older, urgent).sorted()).containsExactly(urgent, older, newer);
    assertThat(urgent.comesBefore(older)).isTrue();
    assertThat(newer.comesBefore(newer)).isFalse();
  }

  private static Decision waitFor(Waiting what) {
    return new Decision.Wait(what, Optional.empty(), "");
  }

  private static RolloutState state(String word) {
    return Arrays.stream(RolloutState.values())
        .filter(state -> state.toString().equals(word))
        .findFirst()
        .orElseThrow();
  }
}
