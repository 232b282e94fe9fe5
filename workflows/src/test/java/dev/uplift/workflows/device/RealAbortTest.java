package dev.uplift.workflows.device;

import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static dev.uplift.workflows.device.FakeFleet.isWaitedFor;
import static io.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Outcome;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import io.temporal.client.WorkflowFailedException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Aborts on a real Temporal server, because the test server handles cancellation differently.
final class RealAbortTest extends RealTemporalScenario {
  @ParameterizedTest
  @ValueSource(strings = {"prepare left", "upgrade left", "reboot left", "await-heartbeat left"})
  void cancelInTemporalClosesAsCancelledAndTheRecordsHaveTheOutcome(String interrupted) {
    fleet.on(interrupted, atFirst(isWaitedFor()));
    start("left");
    fleet.await(interrupted);

    workflow().cancel("pressed by ann");

    assertThatThrownBy(this::result).isInstanceOf(WorkflowFailedException.class);
    assertThat(workflow().describe().getStatus()).isEqualTo(WORKFLOW_EXECUTION_STATUS_CANCELED);
    UpgradeResult result = records.results().getFirst();
    assertThat(result.reason().orElseThrow().message()).contains("pressed by ann");
    assertThat(result.outcome()).isEqualTo(interrupted.startsWith("prepare") ? Outcome.ABORTED : Outcome.ROLLED_BACK);
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }

  @Test
  void abortDuringBackOffEndsTheReSends() throws Exception {
    fleet.on("upgrade left", atFirst(isSilent()));
    start("left");
    fleet.await("upgrade left");

    assertThat(running().abort(ANN)).isEqualTo("upgrade left");

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(fleet.log()).containsSubsequence("upgrade left", "cancel left", "rollback left");
    assertThat(workflow().describe().getRawDescription().getPendingActivitiesList()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"prepare left", "upgrade left", "reboot left", "await-heartbeat left", "commit left"})
  void hostThatDoesNotAnswerAnAbortIsNotAwaitedBeyondTheGracePeriod(String interrupted) throws Exception {
    fleet.on(interrupted, atFirst(isWaitedFor()));
    start("left");
    fleet.await(interrupted);

    assertThat(running().abort(ANN)).isEqualTo(interrupted);

    assertThat(result().reason().orElseThrow().message()).isEqualTo("ann: wrong site");
    assertThat(result().outcome()).isEqualTo(interrupted.startsWith("prepare") ? Outcome.ABORTED : Outcome.ROLLED_BACK);
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }

  @Test
  void abortEndsTheWaitForTheServersConnection() throws Exception {
    step = Duration.ofSeconds(2);
    fleet.loseLink();
    fleet.on("upgrade left", atFirst(isSilent()));
    start("left");
    awaitWait(UpgradeWaitReason.PRESENCE);

    assertThat(running().abort(ANN)).isEqualTo("upgrade left");

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(workflow().describe().getRawDescription().getPendingActivitiesList()).isEmpty();
  }
}
