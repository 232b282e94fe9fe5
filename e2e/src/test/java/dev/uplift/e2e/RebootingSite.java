package dev.uplift.e2e;

import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// A device of one host whose `os` is to go from 1.4.0 to 1.5.0 with a reboot, and the upgrade that
/// does it.
final class RebootingSite {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// All that happens to the host when all goes well.
  static final List<String> EACH_ONCE = List.of("prepare 1.5.0", "upgrade 1.5.0", "boot 1.5.0");

  private final Stack stack;
  private final RestClient rest;
  private final String name;
  private final Host host;
  private final ScriptedOs os;
  private final String bootBefore;

  private RebootingSite(Stack stack, RestClient rest, String name, Host host, ScriptedOs os) {
    this.stack = stack;
    this.rest = rest;
    this.name = name;
    this.host = host;
    this.os = os;
    this.bootBefore = host.bootId();
  }

  /// Its agent runs; the upgrade is not started yet.
  static RebootingSite in(Stack stack, RestClient rest, String name) {
    Host host = stack.host("acme", name);
    ScriptedOs os = ScriptedOs.on(host, "1.4.0");
    host.start();
    rest.putDevice(name, name);
    rest.publish("os", "script", "1.5.0", 150);
    return new RebootingSite(stack, rest, name, host, os);
  }

  void startUpgrade() {
    rest.start(name, name, "os", "1.5.0").expect(200, 201, 202);
  }

  void awaitEffect(String effect) {
    await(effect).atMost(PATIENCE).until(() -> os.effects().contains(effect));
  }

  /// The upgrade has had the host go away.
  void awaitGone() {
    await("the host goes away")
        .atMost(PATIENCE)
        .until(() -> !host.isRunning() && !host.bootId().equals(bootBefore));
  }

  /// Starts to take the upgrade back.
  void startRevert() {
    rest.revert(name, revert()).expect(200, 201);
  }

  private String revert() {
    return name + "-back";
  }

  /// How the upgrade has ended.
  JsonNode awaitEnd() {
    return awaitEnd(name);
  }

  /// How it ended that it was taken back.
  JsonNode awaitEndOfRevert() {
    return awaitEnd(revert());
  }

  private JsonNode awaitEnd(String id) {
    await("the end of " + id)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> !rest.outcome(id).isEmpty());
    return rest.upgrade(id);
  }

  /// It is asked what became of a step that was not answered in time.
  void awaitQuestion() {
    awaitEvent(
        "it is asked what became of a step",
        event ->
            event
                .getActivityTaskScheduledEventAttributes()
                .getActivityType()
                .getName()
                .equals("look"));
  }

  /// In the history of its upgrade.
  void awaitEvent(String what, Predicate<HistoryEvent> wanted) {
    WorkflowServiceStubs temporal =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(stack.temporal().target()).build());
    try {
      WorkflowClient client = WorkflowClient.newInstance(temporal);
      String workflow = "upgrade/acme/" + name;
      await(what)
          .atMost(PATIENCE)
          .until(() -> client.fetchHistory(workflow).getEvents().stream().anyMatch(wanted));
    } finally {
      temporal.shutdownNow();
    }
  }

  Host host() {
    return host;
  }

  ScriptedOs os() {
    return os;
  }
}
