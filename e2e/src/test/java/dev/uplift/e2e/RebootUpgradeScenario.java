package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// A device of one host, and the upgrade of its `os` from 1.4.0 to 1.5.0 with a reboot.
final class RebootUpgradeScenario {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /// The effects on the host if nothing fails.
  static final List<String> EACH_ONCE = List.of("prepare 1.5.0", "upgrade 1.5.0", "boot 1.5.0");

  private final Stack stack;
  private final TestRestClient rest;
  private final String name;
  private final StackHost host;
  private final ScriptedOs os;
  private final String bootBefore;

  private RebootUpgradeScenario(Stack stack, TestRestClient rest, String name, StackHost host, ScriptedOs os) {
    this.stack = stack;
    this.rest = rest;
    this.name = name;
    this.host = host;
    this.os = os;
    this.bootBefore = host.bootId();
  }

  /// Creates the device with a running agent. The upgrade is not started yet.
  static RebootUpgradeScenario in(Stack stack, TestRestClient rest, String name) {
    StackHost stackHost = stack.host("acme", name);
    ScriptedOs os = ScriptedOs.on(stackHost, "1.4.0");
    stackHost.start();
    rest.putDevice(name, name);
    rest.publish("os", "script", "1.5.0", 150);
    return new RebootUpgradeScenario(stack, rest, name, stackHost, os);
  }

  void startUpgrade() {
    rest.startUpgrade(name, name, "os", "1.5.0").expectStatus(200, 201, 202);
  }

  void awaitEffect(String effect) {
    await(effect).atMost(TIMEOUT).until(() -> os.effects().contains(effect));
  }

  /// Waits until the host is down for its reboot.
  void awaitHostDown() {
    await("the host is down").atMost(TIMEOUT).until(() -> !host.isRunning() && !host.bootId().equals(bootBefore));
  }

  /// Waits for its end, and stops the host.
  void assertUpgradedOnce() {
    JsonNode end = awaitEnd();

    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    assertThat(os.effects()).isEqualTo(EACH_ONCE);
    host.stop();
  }

  /// Starts to revert the upgrade.
  void startRevert() {
    rest.revertUpgrade(name, revertId()).expectStatus(200, 201);
  }

  private String revertId() {
    return name + "-back";
  }

  /// Returns the upgrade at its end.
  JsonNode awaitEnd() {
    return awaitEnd(name);
  }

  /// Returns the revert at its end.
  JsonNode awaitEndOfRevert() {
    return awaitEnd(revertId());
  }

  private JsonNode awaitEnd(String id) {
    await("the end of " + id)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> !rest.outcome(id).isEmpty());
    return rest.upgrade(id);
  }

  /// Waits until the host is inspected because a step was not answered in time.
  void awaitInspect() {
    awaitHistoryEvent(
        "the host is inspected",
        event -> event.getActivityTaskScheduledEventAttributes().getActivityType().getName().equals("observe"));
  }

  /// Waits for an event in the history of its upgrade.
  void awaitHistoryEvent(String what, Predicate<HistoryEvent> wanted) {
    WorkflowServiceStubs temporal =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(stack.temporal().target()).build());
    try {
      WorkflowClient client = WorkflowClient.newInstance(temporal);
      String workflow = "upgrade/acme/" + name;
      await(what).atMost(TIMEOUT).until(() -> client.fetchHistory(workflow).getEvents().stream().anyMatch(wanted));
    } finally {
      temporal.shutdownNow();
    }
  }

  StackHost host() {
    return host;
  }

  ScriptedOs os() {
    return os;
  }
}
