package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.fleet.ErrorClass.RETRYABLE;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Upgrades that an operator aborts.
final class AbortTest extends DeviceUpgradeScenario {
  @BeforeEach
  void runEveryStep() {
    fleet.host("left").needsReboot().goesOnTrial();
  }

  @ParameterizedTest
  @EnumSource(names = {"PREPARE", "UPGRADE", "REBOOT", "COMMIT"})
  void abortReturnsTheInterruptedStepAndAwaitsItsAnswer(Step step) {
    var interrupted = new AtomicReference<@Nullable String>();
    fleet.during(
        step + " left",
        () -> {
          interrupted.set(running().abort(ANN));
          fleet.await("cancel left");
        });

    UpgradeResult result = upgrade("left");

    assertThat(interrupted.get()).isEqualTo(step + " left");
    assertThat(result.reason().orElseThrow().message()).isEqualTo("ann: wrong site");
    assertThat(fleet.log()).containsSubsequence(step + " left", "cancel left");
    assertWentBack(result, step);
  }

  @ParameterizedTest
  @EnumSource(names = {"PREPARE", "UPGRADE", "REBOOT", "COMMIT"})
  void hostThatDoesNotAnswerAnAbortIsNotAwaitedBeyondTheGracePeriod(Step step) {
    fleet.on(
        step + " left",
        (stepRequest, host) -> {
          if (stepRequest.generation() == 1) {
            isSilent().answer(stepRequest, host);
          }
          return host.execute(stepRequest);
        });
    after(Duration.ofMinutes(10), () -> running().abort(ANN));

    UpgradeResult result = upgrade("left");

    assertThat(fleet.log()).containsSubsequence(step + " left", "cancel left");
    assertWentBack(result, step);
  }

  @Test
  void waitForAHeartbeatIsCancelledAtOnce() {
    fleet.during(
        "await-heartbeat left",
        () -> {
          running().abort(ANN);
          fleet.await("inspect left");
        });

    UpgradeResult result = upgrade("left");

    assertThat(fleet.log()).doesNotContain("cancel left");
    assertWentBack(result, Step.AWAIT_HEARTBEAT);
  }

  @Test
  void abortDuringAWaitForAnOperatorNeedsNoAnswer() {
    fleet.on("upgrade left", fails(NEEDS_PERSON, "disk-full"));
    after(Duration.ofHours(1), () -> running().abort(ANN));

    UpgradeResult result = upgrade("left");

    assertThat(result.reason().orElseThrow().code()).isEqualTo("abort");
    assertWentBack(result, Step.UPGRADE);
  }

  @ParameterizedTest
  @EnumSource(names = {"PREPARE", "UPGRADE", "REBOOT", "COMMIT"})
  void abortDuringABackOffSendsNothingAgain(Step step) throws Exception {
    var interrupted = new CompletableFuture<String>();
    fleet.on(
        step + " left",
        (stepRequest, host) ->
            stepRequest.generation() == 1
                ? fails(RETRYABLE, "link-down").answer(stepRequest, host)
                : host.execute(stepRequest));
    // Sent again after a minute.
    after(Duration.ofSeconds(30), () -> interrupted.complete(running().abort(ANN)));

    UpgradeResult result = upgrade("left");

    // The answer may come a little after the end.
    assertThat(interrupted.get(30, TimeUnit.SECONDS)).isEqualTo(step + " left");
    assertThat(result.reason().orElseThrow().message()).isEqualTo("ann: wrong site");
    assertThat(fleet.log()).doesNotContain("cancel left");
    assertThat(Collections.frequency(fleet.log(), step + " left")).isOne();
    assertThat(lasted()).isLessThan(Duration.ofMinutes(1));
    assertWentBack(result, step);
  }

  @Test
  void abortEndsTheWaitForTheServersConnection() {
    List<PendingWait> waited = new ArrayList<>();
    fleet.on("upgrade left", isSilent());
    fleet.during("upgrade left", fleet::loseLink);
    after(
        Duration.ofHours(2),
        () -> {
          waited.addAll(running().status().waits());
          running().abort(ANN);
        });

    UpgradeResult result = upgrade("left");

    assertThat(waited).singleElement().returns(UpgradeWaitReason.PRESENCE, PendingWait::reason);
    assertThat(result.reason().orElseThrow().message()).isEqualTo("ann: wrong site");
    assertWentBack(result, Step.UPGRADE);
  }

  @Test
  void heartbeatAtTheTimeOfTheAbortChangesNothing() {
    fleet.during("await-heartbeat left", () -> running().abort(ANN));

    assertWentBack(upgrade("left"), Step.AWAIT_HEARTBEAT);

    assertThat(fleet.log()).doesNotContain("cancel left", "commit left");
  }

  @Test
  void missingHeartbeatIsNotAwaitedAfterAnAbort() {
    fleet.on(
        "await-heartbeat left",
        (stepRequest, host) ->
            stepRequest.targetVersion().equals("1.5.0")
                ? isSilent().answer(stepRequest, host)
                : host.execute(stepRequest));
    // The step awaits it for ten minutes.
    after(Duration.ofMinutes(5), () -> running().abort(ANN));

    UpgradeResult result = upgrade("left");

    assertThat(lasted()).isLessThan(Duration.ofMinutes(10));
    assertThat(result.reason().orElseThrow().message()).isEqualTo("ann: wrong site");
    assertWentBack(result, Step.AWAIT_HEARTBEAT);
  }

  @Test
  void abortDuringTheSoakRollsTheHostBack() {
    soak = Duration.ofHours(2);
    after(Duration.ofHours(1), () -> running().abort(ANN));

    assertWentBack(upgrade("left"), Step.AWAIT_HEARTBEAT);
  }

  @Test
  void abortWhileHostsPrepareChangesNothing() {
    fleet.during(
        "prepare left",
        () -> {
          fleet.await("prepare right");
          running().abort(ANN);
          fleet.await("cancel left");
        });

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(fleet.log())
        // Sent as well if the answer of the host on the right has not been processed by then.
        .filteredOn(order -> !order.equals("cancel right"))
        .containsExactlyInAnyOrder("prepare left", "prepare right", "cancel left", "rollback right");
    keepHistoryOf(result);
  }

  @Test
  void abortIsRejectedDuringTheRollback() {
    fleet.on("upgrade left", fails(FINAL, "bad-image"));
    var rejection = new AtomicReference<@Nullable Throwable>();
    fleet.during("inspect left", () -> rejection.set(catchThrowable(() -> running().abort(ANN))));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(rejection.get())
        .isInstanceOf(WorkflowUpdateException.class)
        .cause()
        .hasMessageContaining("acme/site-7 is stopped already or rolls back: inspect left");
  }

  @Test
  void secondAbortIsRejectedAndTheFirstOneIsKept() {
    var rejection = new AtomicReference<@Nullable Throwable>();
    fleet.during(
        "upgrade left",
        () -> {
          running().abort(ANN);
          rejection.set(catchThrowable(() -> running().abort(new Operator("ben", "me too"))));
          fleet.await("cancel left");
        });

    assertThat(upgrade("left").reason().orElseThrow().message()).isEqualTo("ann: wrong site");

    assertThat(rejection.get()).isInstanceOf(WorkflowUpdateException.class);
  }

  @Test
  void endedUpgradeAcceptsNoUpdate() {
    upgrade("left");

    assertThatThrownBy(() -> running().abort(ANN)).isInstanceOf(WorkflowNotFoundException.class);
    assertThatThrownBy(() -> running().pause(ANN)).isInstanceOf(WorkflowNotFoundException.class);
    assertThatThrownBy(() -> running().resume(ANN)).isInstanceOf(WorkflowNotFoundException.class);
    assertThatThrownBy(() -> running().retryStep(LEFT, ANN)).isInstanceOf(WorkflowNotFoundException.class);
    assertThatThrownBy(() -> running().skipHost(LEFT, ANN)).isInstanceOf(WorkflowNotFoundException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"PREPARE", "UPGRADE", "REBOOT", "COMMIT"})
  void cancelInTemporalIsAnAbortWithItsReason(Step step) {
    fleet.during(
        step + " left",
        () -> {
          WorkflowStub.fromTyped(running()).cancel("by ann in the Web UI");
          fleet.await("cancel left");
        });

    assertThatThrownBy(() -> upgrade("left"))
        .isInstanceOf(WorkflowFailedException.class)
        .hasCauseInstanceOf(CanceledFailure.class);

    UpgradeResult result = records.results().getFirst();
    assertThat(result.reason().orElseThrow().message()).contains("by ann in the Web UI");
    assertWentBack(result, step);
  }

  @Test
  void cancelInTemporalDuringTheRollbackChangesNothing() {
    fleet.on("upgrade left", fails(FINAL, "bad-image"));
    fleet.during("rollback left", () -> WorkflowStub.fromTyped(running()).cancel());

    assertThatThrownBy(() -> upgrade("left")).hasCauseInstanceOf(CanceledFailure.class);

    UpgradeResult result = records.results().getFirst();
    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("bad-image");
    assertThat(fleet.log()).doesNotContain("cancel left");
  }

  private void assertWentBack(UpgradeResult result, Step interrupted) {
    if (interrupted == Step.PREPARE) {
      assertThat(result.outcome()).isEqualTo(Outcome.ABORTED);
      assertThat(fleet.log()).doesNotContain("upgrade left");
    } else {
      assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
      assertThat(fleet.log()).containsSubsequence("inspect left", "rollback left");
    }
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }
}
