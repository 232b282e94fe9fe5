package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.webhook.WebhookRepositories;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.services.event.EventNumbers;
import dev.uplift.store.event.TenantEventRow;
import dev.uplift.store.webhook.WebhookSpec;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan.RequiredApproval;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The tables know what an upgrade waits for.
final class UpgradeWaitTest extends HostUpgradeScenario {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final WebhookId webhook = new WebhookId(device.tenant(), "waits-" + UUID.randomUUID());
  private long lastEvent;

  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @BeforeEach
  void enableWebhook() {
    lastEvent = numberEvents();
    tables()
        .webhooks()
        .create(new WebhookSpec(webhook, "https://uplift.invalid/", "", List.of("release.published"), 1), "", "ann");
    tables().deliveries().begin(webhook, lastEvent);
    tables().webhooks().enable(webhook, "ann");
  }

  @AfterEach
  void removeWebhook() {
    assertThat(tables().webhooks().remove(webhook)).isTrue();
  }

  @Test
  void anApprovalThatIsAwaitedForTooLongIsToldOnce() throws Exception {
    server().bean(UpgradeWorkflowClient.class).start(plan(withoutResends()).withApproval(new RequiredApproval("ann")));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());

    await().atMost(LIMIT).until(() -> !told().isEmpty());

    assertThat(told())
        .singleElement()
        .returns(Optional.of(device.name()), TenantEventRow::device)
        .returns(Optional.of(webhook.name()), TenantEventRow::webhook)
        .returns(Optional.of("approval"), TenantEventRow::result)
        .returns(Optional.of("another person than ann to approve it"), TenantEventRow::message)
        .satisfies(event -> assertThat(event.untilAt()).isPresent());
    approve();
    host.awaitCommand(CommandAction.UPGRADE);
    await("the end of the wait is recorded").atMost(LIMIT).until(() -> recordedWaits() == 2);
    assertThat(told()).hasSize(1);
  }

  private void approve() {
    assertThat(
            server()
                .bean(UpgradeWorkflowClient.class)
                .update(device, upgrade, new UpgradeAction.Approve("bob"), new Operator("bob", "saw it run")))
        .isInstanceOf(UpdateResult.Completed.class);
  }

  private List<TenantEventRow> told() {
    tables().escalations().escalate();
    numberEvents();
    return tables().events().listAfter(device.tenant(), lastEvent, 1000).stream()
        .filter(event -> event.kind().equals("upgrade.wait-escalated"))
        .filter(event -> event.upgrade().equals(Optional.of(upgrade)))
        .toList();
  }

  private long numberEvents() {
    return server().bean(EventNumbers.class).giveAll(device.tenant());
  }

  private long recordedWaits() {
    return history().stream()
        .filter(
            event -> event.getActivityTaskScheduledEventAttributes().getActivityType().getName().equals("record-wait"))
        .count();
  }

  private WebhookRepositories tables() {
    return server().bean(WebhookRepositories.class);
  }
}
