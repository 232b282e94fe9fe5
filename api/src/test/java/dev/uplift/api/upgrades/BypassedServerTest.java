package dev.uplift.api.upgrades;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.UpgradeScenario;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.device.UpgradeWorkflowOptions;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Attacks of whoever reaches Temporal and has no token: requests with the clients and tools of Temporal.
final class BypassedServerTest extends UpgradeScenario {
  private final WorkflowServiceStubs service;
  private final WorkflowClient attacker;

  BypassedServerTest(LiveServer live) {
    super(live);
    service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(live.stack().temporal().target()).build());
    attacker = WorkflowClient.newInstance(service, Payloads.clientOptions());
  }

  @AfterEach
  void disconnect() {
    service.shutdownNow();
  }

  @Test
  void anUpgradeThatNoServerHasStartedSendsNothingToAHost() {
    try (StubHost host = live.newHost()) {
      UpgradePlan plan = plan("evil-" + id(), "decoy-" + host.name(), host.name());
      DeviceUpgrade workflow = attacker.newWorkflowStub(DeviceUpgrade.class, UpgradeWorkflowOptions.of(plan));

      assertThatThrownBy(() -> workflow.run(plan))
          .isInstanceOf(WorkflowFailedException.class)
          .cause()
          .isInstanceOfSatisfying(ApplicationFailure.class, why -> assertThat(why.getType()).isEqualTo("not-ours"));

      live.tenant().viewer().get(live.path("upgrades/" + plan.upgrade())).expectStatus(404);
      assertThat(live.tenant().viewer().get(live.path("hosts/" + host.name())).json().at("/versions/shopd").asString())
          .isEqualTo("1.0");
      awaitAudit("upgrade/" + plan.upgrade(), "upgrade.refused");
    }
  }

  @Test
  void anApprovalThatDidNotComeByRestIsRefused() {
    try (StubHost host = live.newHost()) {
      String id = id();
      start(host, id, "{\"package\":\"shopd\",\"version\":\"2.0\",\"require_approval\":true}").expectStatus(201);
      await(id, upgrade -> hasWait(upgrade, "reason", "approval"));
      String workflow = UpgradePlan.workflowId(new DeviceId(LiveServer.TENANT, host.name()));

      assertThatThrownBy(
              () -> attacker.newWorkflowStub(DeviceUpgrade.class, workflow).approve(new Operator("somebody", "")))
          .isInstanceOf(WorkflowUpdateException.class)
          .cause()
          .isInstanceOfSatisfying(
              ApplicationFailure.class,
              why ->
                  assertThat(why.getOriginalMessage())
                      .contains("the update approve of " + workflow + " does not come from a server"));

      awaitAudit("upgrade/" + id, "upgrade.refused");
      assertThat(hasWait(live.tenant().viewer().get(live.path("upgrades/" + id)).json(), "reason", "approval"))
          .isTrue();
      sendAction(id, "abort", "{}").expectStatus(200);
      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("aborted");
    }
  }

  @Test
  void aRolloutThatNoServerHasStartedDoesNothing() {
    String id = "draft-" + id().substring(0, 8);
    RolloutInput input =
        new RolloutInput(LiveServer.TENANT, id, new Release(LiveServer.PACKAGE, "2.0"), RolloutTimeouts.DEFAULTS);
    Rollout workflow = attacker.newWorkflowStub(Rollout.class, input.workflowOptions());

    assertThatThrownBy(() -> workflow.run(input))
        .isInstanceOf(WorkflowFailedException.class)
        .cause()
        .isInstanceOfSatisfying(ApplicationFailure.class, why -> assertThat(why.getType()).isEqualTo("not-ours"));

    awaitAudit("rollout/" + id, "rollout.refused");
  }

  private static UpgradePlan plan(String id, String device, String host) {
    return new UpgradePlan(
        id,
        new DeviceId(LiveServer.TENANT, device),
        List.of(new HostId(host)),
        new Release(LiveServer.PACKAGE, "2.0"),
        new UpgradePlan.Options(
            RollbackScope.DEVICE,
            false,
            Duration.ZERO,
            Instant.now().plus(Duration.ofHours(1)),
            UpgradeTimeouts.DEFAULTS),
        UpgradePlan.Origin.person("admin"));
  }

  private void awaitAudit(String target, String action) {
    Awaitility.await("audit of " + target)
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> live.tenant().viewer().get(live.path("audit?target=" + target)).texts("items", "action"),
            found -> found.contains(action));
  }
}
