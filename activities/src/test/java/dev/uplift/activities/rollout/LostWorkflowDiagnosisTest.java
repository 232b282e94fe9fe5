package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.services.TestStacks;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutInput;
import io.temporal.client.WorkflowClient;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

final class LostWorkflowDiagnosisTest extends RolloutScenario {
  @Test
  void aRolloutWhoseWorkflowWasEndedIsNamedUntilItIsResumed(TestInfo info) {
    String fleet = fleet(info, 2);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 1));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 1);
    assertThat(warnings()).isEmpty();

    worker.workflows.workflow(id).terminate("by mistake");
    worker.hosts.unblock();
    worker.runReconciler();
    worker.awaitState(id, RolloutState.PAUSED);
    assertThat(warnings()).containsExactly("rollouts that are paused because their workflow was ended: 1 (" + id + ")");

    assertThat(worker.update(id, OperatorAction.RESUME)).isInstanceOf(UpdateResult.Completed.class);
    assertThat(warnings()).isEmpty();
    ended(id);
  }

  @Test
  void aRolloutThatAPersonHasPausedIsNotNamed(TestInfo info) {
    String fleet = fleet(info, 2);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 1));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 1);

    assertThat(worker.update(id, OperatorAction.PAUSE)).isInstanceOf(UpdateResult.Completed.class);
    worker.awaitState(id, RolloutState.PAUSED);

    assertThat(warnings()).isEmpty();
    worker.hosts.unblock();
    assertThat(worker.update(id, OperatorAction.RESUME)).isInstanceOf(UpdateResult.Completed.class);
    ended(id);
  }

  @Test
  void aStrandedDeviceIsNamedUntilItsNextUpgrade(TestInfo info) {
    String device = names(fleet(info, 1), 1)[0];
    UpgradeRepository upgrades = worker.repositories.common().upgrades();
    upgrades.createIfAbsent(upgrade(device, "1"));
    upgrades.recordEnd(TestStacks.TENANT, device + ".1", new UpgradeEnd(Outcome.STRANDED, Optional.empty(), "[]"));
    assertThat(warnings())
        .containsExactly("devices whose newest upgrade is stranded: 1 (%s/%s)".formatted(TestStacks.TENANT, device));

    upgrades.createIfAbsent(upgrade(device, "2"));

    assertThat(warnings()).isEmpty();
  }

  private List<String> warnings() {
    return new LostWorkflowDiagnosis(worker.repositories, worker.workflows.starter())
        .diagnose().stream()
            .filter(finding -> finding.severity() != DiagnosisFinding.Severity.OK)
            .map(DiagnosisFinding::text)
            .toList();
  }

  private static NewUpgrade upgrade(String device, String number) {
    return new NewUpgrade(
        device + "." + number,
        new DeviceId(TestStacks.TENANT, device),
        RolloutTestWorker.RELEASE,
        "ann",
        "{\"hosts\":[]}",
        "run-" + number);
  }

  @Test
  void aWorkflowWhoseRolloutIsNotInTheTablesIsNamedUntilItIsTerminated() {
    var id = new RolloutId(TestStacks.TENANT, "forgotten");
    var input = new RolloutInput(id.tenant(), id.name(), RolloutTestWorker.RELEASE, RolloutTestWorker.SHORT_TIMEOUTS);
    WorkflowClient client = worker.temporal().requestClient();
    Rollout workflow = client.newWorkflowStub(Rollout.class, input.workflowOptions());
    var _ = WorkflowClient.start(workflow::run, input);
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .untilAsserted(() ->
            assertThat(warnings())
                .containsExactly("workflows of rollouts that the database does not know: 1 (" + id + ")"));

    worker.workflows.workflow(id).terminate("as the advice says");

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> warnings().isEmpty());
  }

  @Test
  void ofManyAFewAreNamed() {
    List<RolloutId> many = IntStream.range(0, 101).mapToObj(i -> new RolloutId("acme", "r%03d".formatted(i))).toList();

    assertThat(LostWorkflowDiagnosis.judgePaused(many.subList(0, 4)).text())
        .endsWith(": 4 (acme/r000, acme/r001, acme/r002, …)");
    assertThat(LostWorkflowDiagnosis.judgePaused(many).text()).contains(": more than 100 (acme/r000, ");
  }
}
