package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED;
import static io.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.Outcome;
import dev.uplift.workflows.SearchAttributeKeys;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import io.temporal.api.enums.v1.ApplicationErrorCategory;
import io.temporal.api.failure.v1.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Behaviour of a real Temporal server: resets, back-off, timeouts and its Web UI.
final class RealTemporalTest extends RealTemporalScenario {
  @Test
  void hasAsManyEventsAsOnTheTestServer() throws Exception {
    start("left");

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(history()).hasSize(40);
  }

  @Test
  void isFoundAndDescribedInTheWebUi() throws Exception {
    fleet.on("commit left", fails(NEEDS_PERSON, "read-only"));
    start("left");
    awaitWait(UpgradeWaitReason.PERSON);

    var description = workflow().describe();
    assertThat(description.getTypedSearchAttributes().get(SearchAttributeKeys.PHASE)).isEqualTo("upgrade");
    assertThat(description.getStaticSummary()).isEqualTo("os 1.5.0 to " + device);
    assertThat(description.getStaticDetails()).contains("| hosts | left |");
    assertThat(description.getMemo(UpgradeWorkflowOptions.UPGRADE_ID, String.class)).isEqualTo("u-1");

    running().abort(ANN);
    result();
    description = workflow().describe();
    assertThat(description.getTypedSearchAttributes().get(SearchAttributeKeys.PHASE)).isEqualTo("ended");
    assertThat(description.getTypedSearchAttributes().get(SearchAttributeKeys.OUTCOME)).isEqualTo("rolled-back");
  }

  /// Queries as in `temporal workflow list --query`.
  @Test
  void temporalListsASuccessfulUpgradeAsCompleted() throws Exception {
    start("left");

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    awaitListed("ExecutionStatus = 'Completed' AND Outcome = 'upgraded'");
  }

  @Test
  void temporalListsARolledBackUpgradeAndItsStepAsFailed() throws Exception {
    fleet.on("commit left", fails(FINAL, "read-only"));
    start("left");

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    awaitListed("ExecutionStatus = 'Failed' AND Outcome = 'rolled-back'");
    assertThat(workflow().describe().getStatus()).isEqualTo(WORKFLOW_EXECUTION_STATUS_FAILED);
    Failure failure = history().getLast().getWorkflowExecutionFailedEventAttributes().getFailure();
    assertThat(failure.getMessage()).isEqualTo("for the test");
    assertThat(failure.getApplicationFailureInfo().getType()).isEqualTo("rolled-back");
    assertThat(failure.getApplicationFailureInfo().getCategory())
        .isEqualTo(ApplicationErrorCategory.APPLICATION_ERROR_CATEGORY_BENIGN);
    assertThat(history())
        .filteredOn(event -> event.getEventType() == EVENT_TYPE_ACTIVITY_TASK_FAILED)
        .singleElement()
        .extracting(event -> event.getActivityTaskFailedEventAttributes().getFailure())
        .returns("for the test", Failure::getMessage)
        .returns("read-only", step -> step.getApplicationFailureInfo().getType());
  }

  private void awaitListed(String query) {
    String all = "WorkflowId = '%s' AND %s".formatted(UpgradePlan.workflowId(device), query);
    await(query).atMost(Duration.ofSeconds(30)).until(() -> client.listExecutions(all).count() == 1);
  }

  @Test
  void resetOfARunningUpgradeRepeatsNoEffect() throws Exception {
    fleet.on("commit left", fails(NEEDS_PERSON, "read-only"));
    start("left");
    awaitWait(UpgradeWaitReason.PERSON);

    TEMPORAL.reset(UpgradePlan.workflowId(device), firstTask());
    awaitWait(UpgradeWaitReason.PERSON);
    fleet.behaveNormally("commit left");
    running().retryStep(LEFT, ANN);

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    for (String order : List.of("prepare left", "upgrade left", "reboot left")) {
      assertThat(Collections.frequency(fleet.log(), order)).as(order).isOne();
    }
    assertThat(fleet.log()).endsWith("commit left", "commit left");
  }

  @Test
  void resetBeforeAnyHostWasChangedRepeatsNoEffect() throws Exception {
    fleet.on("prepare left", fails(NEEDS_PERSON, "disk-full"));
    start("left");
    awaitWait(UpgradeWaitReason.PERSON);

    TEMPORAL.reset(UpgradePlan.workflowId(device), firstTask());
    awaitWait(UpgradeWaitReason.PERSON);

    assertThat(fleet.log()).containsExactly("prepare left");
    running().abort(ANN);
    assertThat(result().outcome()).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void resetOfAnEndedUpgradeReturnsItsResult() throws Exception {
    start("left");
    UpgradeResult before = result();
    List<String> done = List.copyOf(fleet.log());

    TEMPORAL.reset(UpgradePlan.workflowId(device), firstTask());

    assertThat(result()).isEqualTo(before);
    assertThat(fleet.log()).isEqualTo(done);
  }

  @Test
  void deadlineIsKeptAlthoughTheLastReSendWouldComeTooLate() throws Exception {
    time = Duration.ofSeconds(6);
    fleet.on("prepare left", isSilent());
    Instant notAfter = start("left");

    UpgradeResult result = result();

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(Instant.now()).isAfterOrEqualTo(notAfter);
  }

  @Test
  void lostConnectionOfTheServerRollsNoHostBack() throws Exception {
    step = Duration.ofSeconds(2);
    fleet.loseLink();
    fleet.on("reboot left", FakeFleet.powersOff());
    start("left");
    awaitWait(UpgradeWaitReason.PRESENCE);

    fleet.behaveNormally("reboot left");
    fleet.host("left").powerOn();
    fleet.regainLink(Instant.now());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).doesNotContain("rollback left");
  }
}
