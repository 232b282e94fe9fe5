package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.RETRYABLE;
import static dev.uplift.workflows.device.FakeFleet.answersTooLate;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.failsAtFirst;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static dev.uplift.workflows.device.FakeFleet.succeedsWithoutAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.RollbackScope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Hosts on which an agent hands over to its successor.
final class HandoverTest extends DeviceUpgradeScenario {
  @BeforeEach
  void agentsHandOver() {
    for (String host : List.of("left", "middle", "right")) {
      fleet.host(host).handsOver().goesOnTrial();
    }
  }

  @Test
  void theOldAgentIsStoppedOnceTheNewOneStandsBy() {
    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.5.0"));
    assertThat(fleet.log().subList(2, fleet.log().size()))
        .containsExactly(
            "upgrade left",
            "await-successor left",
            "stop left",
            "await-heartbeat left",
            "commit left",
            "upgrade right",
            "await-successor right",
            "stop right",
            "await-heartbeat right",
            "commit right");
    keepHistoryAs("upgraded-by-handover");
  }

  @Test
  void historyOfOneHostIsShort() {
    upgrade("left");

    assertThat(history().getEvents()).hasSizeLessThanOrEqualTo(29 + 6 + 2 * 6);
  }

  @Test
  void theStopAndLaterStepsNameTheOutgoingAgent() {
    var named = new CopyOnWriteArrayList<Optional<String>>();
    for (String order : List.of("upgrade left", "stop left", "await-heartbeat left")) {
      fleet.on(
          order,
          (asked, host) -> {
            named.add(asked.outgoingInstance());
            return host.execute(asked);
          });
    }

    upgrade("left");

    assertThat(named).containsExactly(Optional.empty(), Optional.of("agent-1"), Optional.of("agent-1"));
  }

  @Test
  void standbyAgentIsNotShownAsRunning() {
    var shown = new CopyOnWriteArrayList<String>();
    fleet.during("stop left", () -> shown.add(running().status().hosts().getFirst().version()));

    upgrade("left");

    assertThat(shown).containsExactly("1.4.0");
  }

  @Test
  void anAgentThatRollsBackItsSuccessorEndsTheUpgrade() {
    fleet.on("await-successor left", (_, host) -> host.revertHandover());

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("rolled-back");
    assertThat(result.reason().orElseThrow().message()).isEqualTo("it crashed");
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "1.4.0"));
    assertThat(fleet.log())
        .containsSubsequence("await-successor left", "inspect left", "rollback left", "await-heartbeat left")
        .doesNotContain("stop left", "upgrade right");
    keepHistoryAs("rolled-back-by-its-agent");
  }

  @Test
  void withoutASuccessorTheAgentStaysAndTheUpgradeIsRolledBack() {
    fleet.on("stop left", fails(FINAL, "no-successor"));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("no-successor");
    assertThat(fleet.log()).endsWith("stop left", "inspect left", "rollback left", "await-heartbeat left");
  }

  @Test
  void theStopIsRepeatedUntilTheSuccessorIsReady() {
    fleet.on("stop left", failsAtFirst(2, "successor-not-ready"));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isGreaterThanOrEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void aSuccessorThatNeverGetsReadyIsRolledBack() {
    fleet.on("stop left", fails(RETRYABLE, "successor-not-ready"));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("successor-not-ready");
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }

  @Test
  void anUnansweredStopIsDoneIfTheSuccessorIsActive() {
    fleet.on("stop left", succeedsWithoutAnswer());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).endsWith("stop left", "await-heartbeat left", "commit left");
  }

  @Test
  void aStopWithoutEffectIsInspectedAndThenRolledBack() {
    fleet.on("stop left", isSilent());

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(fleet.log())
        .endsWith("stop left", "inspect left", "inspect left", "rollback left", "await-heartbeat left");
  }

  @Test
  void lateAnswerThatRequiresAHandoverCounts() {
    fleet.on("upgrade left", answersTooLate());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).containsSubsequence("upgrade left", "await-successor left", "stop left");
  }

  @Test
  void handoverInProgressIsRolledBackEvenWithRollbackScopeNone() {
    rollbackScope = RollbackScope.NONE;
    fleet.on("await-successor right", (stepRequest, host) -> host.revertHandover());

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.4.0"));
    assertThat(fleet.log()).endsWith("inspect right", "rollback right", "await-heartbeat right", "inspect left");
  }

  @Test
  void completedHandoverIsKeptWithRollbackScopeNone() {
    rollbackScope = RollbackScope.NONE;
    fleet.on("commit left", fails(FINAL, "read-only"));

    assertThat(upgrade("left").versions()).isEqualTo(Map.of(LEFT, "1.5.0"));
    assertThat(fleet.log()).endsWith("commit left", "inspect left");
  }

  @Test
  void aSuccessorWithoutHeartbeatsIsRolledBack() {
    fleet.on("await-successor left", isSilent());

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("not-reached");
    assertThat(fleet.log())
        .containsSubsequence("await-successor left", "inspect left", "rollback left", "await-heartbeat left")
        .doesNotContain("stop left");
  }

  @Test
  void consecutiveAgentsNeedNoHandover() {
    fleet.on("upgrade left", (stepRequest, host) -> host.runsAlone(stepRequest));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).containsExactly("prepare left", "upgrade left", "await-heartbeat left", "commit left");
  }

  @Test
  void rollbackIsAHandoverInTheOtherDirectionWithoutTrial() {
    fleet.on("upgrade right", fails(FINAL, "no-room"));

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.versions()).containsEntry(LEFT, "1.4.0");
    assertThat(fleet.log())
        .endsWith("inspect left", "rollback left", "await-successor left", "stop left", "await-heartbeat left");
    keepHistoryAs("rolled-back-by-handover");
  }

  @Test
  void aHostWhoseOldAgentDoesNotReturnIsStranded() {
    fleet.on("await-heartbeat left", fails(FINAL, "version-mismatch"));
    fleet.on(
        "await-successor left",
        (stepRequest, host) ->
            stepRequest.targetVersion().equals("1.4.0") ? host.revertHandover() : host.execute(stepRequest));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("version-mismatch");
    assertThat(result.versions()).containsEntry(LEFT, "1.5.0");
    keepHistoryAs("stranded-in-handover");
  }

  @Test
  void aFinishedUpgradeIsRevertedByAHandover() {
    UpgradeResult result = revert("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(fleet.log())
        .containsExactly("inspect left", "rollback left", "await-successor left", "stop left", "await-heartbeat left");
    keepHistoryAs("revert-rolled-back-by-handover");
  }

  @Test
  void aRevertAbortedDuringAHandoverIsCompleted() {
    fleet.during(
        "await-successor left",
        () -> {
          running().abort(ANN);
          fleet.await("rollback left");
        });

    UpgradeResult result = revert("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.hosts().getFirst().progress()).isEqualTo(Progress.ROLLED_BACK);
    assertThat(result.versions()).containsEntry(LEFT, "1.4.0");
  }

  @Test
  void theNewAgentHasToStayHealthyDuringItsSoak() {
    soak = Duration.ofHours(1);

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).endsWith("stop left", "await-heartbeat left", "await-heartbeat left", "commit left");
  }
}
