package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.StartResult;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Cancelled;
import dev.uplift.protocol.CommandResult.Failed;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.services.presence.Presence;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeStatus;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class UpgradeWorkflowClientTest extends HostUpgradeScenario {
  private static final Operator ANN = new Operator("ann", "");

  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void secondUpgradeOfADeviceIsRejectedAndNamesTheRunningOne() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    assertThat(starter().start(plan)).isInstanceOf(StartResult.Started.class);
    host.awaitCommand(CommandAction.PREPARE);

    assertThat(starter().start(withId(plan, "another"))).isEqualTo(new StartResult.DeviceBusy(upgrade));
  }

  @Test
  void repeatedStartIsOneUpgrade() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    String run = ((StartResult.Started) starter().start(plan)).runId();
    Command prepare = host.awaitCommand(CommandAction.PREPARE);

    assertThat(starter().start(plan)).isEqualTo(new StartResult.AlreadyRunning(run));

    host.answer(prepare, "1.4.0", new Failed("no", WireErrorClass.FINAL, "no"));
    assertThat(result().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(host.allCommands().stream().distinct()).hasSize(1);
  }

  @Test
  void endedUpgradeIsNotRunAgain() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    starter().start(plan);
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Failed("no", WireErrorClass.FINAL, "no"));
    result();

    assertThat(starter().start(plan)).isInstanceOf(StartResult.Started.class);

    assertThat(result().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(host.allCommands().stream().distinct()).as("nothing is sent for it").hasSize(1);
  }

  @Test
  void requestThatArrivesAfterTheEndOnceMoreStartsNoRun() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    StartResult first = starter().start(plan, "first");
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Failed("no", WireErrorClass.FINAL, "no"));
    result();

    assertThat(starter().start(plan, "first")).isEqualTo(first);
    assertThat(starter().start(plan, "second")).isInstanceOf(StartResult.Started.class).isNotEqualTo(first);
  }

  @Test
  void deadlineInThePastEndsItBeforeAnyCommand() throws Exception {
    UpgradePlan plan = plan(withoutResends());

    starter().start(until(plan, Instant.now().minusSeconds(1)));

    assertThat(result().outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(host.allCommands()).isEmpty();
  }

  @Test
  void idThatBelongsToAnotherDeviceIsDeclined() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    server()
        .repositories()
        .upgrades()
        .createIfAbsent(
            new NewUpgrade(upgrade, new DeviceId(device.tenant(), "elsewhere"), plan.release(), "bob", "{}", "run-1"));

    starter().start(plan);

    assertThat(result().outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result().reason().orElseThrow().code()).isEqualTo("id-taken");
    assertThat(host.allCommands()).isEmpty();
  }

  @Test
  void deviceThatRunsTheReleaseNeedsNoAction() throws Exception {
    host.sendHeartbeat("1.5.0");
    await().until(() -> server().bean(Presence.class).heartbeats(device.tenant(), host.id()).newest().isPresent());

    start(withoutResends());

    assertThat(result().outcome()).isEqualTo(Outcome.NO_ACTION);
    assertThat(host.allCommands()).isEmpty();
  }

  @Test
  void statusHasThePendingWaitAndItsHost() throws Exception {
    start(withoutResends());
    host.awaitCommand(CommandAction.PREPARE);

    UpgradeStatus upgradeStatus = server().bean(UpgradeWorkflowClient.class).status(device, upgrade).orElseThrow();

    assertThat(upgradeStatus.phase()).isEqualTo(Phase.PREPARE);
    assertThat(upgradeStatus.waits())
        .singleElement()
        .satisfies(pendingWait -> {
          assertThat(pendingWait.from()).isEqualTo(host.id().value());
          assertThat(pendingWait.until()).isPresent();
        });
  }

  @Test
  void actionOnAnEndedUpgradeDoesNotReachAnother() throws Exception {
    start(withoutResends());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);

    assertThat(server().bean(UpgradeWorkflowClient.class).update(device, "another", new UpgradeAction.Abort(), ANN))
        .isEqualTo(new UpdateResult.NotRunning());
    assertThat(server().bean(UpgradeWorkflowClient.class).status(device, "another")).isEmpty();
    assertThat(server().bean(UpgradeWorkflowClient.class).update(device, upgrade, new UpgradeAction.Resume(), ANN))
        .as("rejected with the reason")
        .isInstanceOf(UpdateResult.Rejected.class);

    server().bean(UpgradeWorkflowClient.class).update(device, upgrade, new UpgradeAction.Abort(), ANN);
    host.answer(prepare, "1.4.0", new Cancelled());
    assertThat(result().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(server().bean(UpgradeWorkflowClient.class).update(device, upgrade, new UpgradeAction.Abort(), ANN))
        .isEqualTo(new UpdateResult.NotRunning());
  }

  private UpgradeWorkflowClient starter() {
    return server().bean(UpgradeWorkflowClient.class);
  }

  private static UpgradePlan withId(UpgradePlan plan, String id) {
    return with(plan, id, plan.options().notAfter());
  }

  private static UpgradePlan until(UpgradePlan plan, Instant notAfter) {
    return with(plan, plan.upgrade(), notAfter);
  }

  private static UpgradePlan with(UpgradePlan plan, String id, Instant notAfter) {
    return new UpgradePlan(
        id,
        plan.device(),
        plan.hosts(),
        plan.release(),
        new UpgradePlan.Options(
            plan.options().rollbackScope(),
            plan.options().allowDowngrade(),
            plan.options().soak(),
            notAfter,
            plan.options().timeouts()),
        plan.origin());
  }
}
