package dev.uplift.activities;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.Step;
import dev.uplift.services.TestStacks;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import dev.uplift.workflows.device.UpgradeStatus;
import dev.uplift.workflows.device.UpgradeTimeouts;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The whole path: workflow, activity, command, host, event, event consumer, workflow. One device with one host, which
/// the test plays.
@Timeout(240)
@ExtendWith(SharedInProcessServerExtension.class)
public abstract class HostUpgradeScenario {
  protected final String upgrade = "u-" + UUID.randomUUID();
  protected final DeviceId device =
      new DeviceId(TestStacks.TENANT, "site-" + UUID.randomUUID().toString().substring(0, 8));
  protected NatsTestHost host;
  private final List<NatsTestHost> hosts = new ArrayList<>();

  /// Returns the server under test.
  protected abstract InProcessServer server();

  @BeforeEach
  void connect() throws Exception {
    host = connect("left");
    server().register(device, List.of(host.id()));
  }

  protected NatsTestHost connect(String name) throws Exception {
    NatsTestHost fresh =
        new NatsTestHost(
            TestStacks.connectAsDevice(server().stack(), TestStacks.TENANT),
            TestStacks.TENANT,
            name,
            InProcessServer.trustedKeys());
    hosts.add(fresh);
    return fresh;
  }

  @AfterEach
  void disconnect() throws Exception {
    terminateWorkflow();
    for (NatsTestHost each : hosts) {
      each.disconnect();
    }
  }

  /// Terminates the workflow, so that it does not disturb the next test.
  private void terminateWorkflow() {
    try {
      workflow().terminate("the test is over");
    } catch (RuntimeException _) {
      // It has ended, or its server is unavailable.
    }
  }

  protected UpgradePlan plan(UpgradeTimeouts timeouts) {
    return new UpgradePlan(
        upgrade,
        device,
        List.of(host.id()),
        new Release(InProcessServer.PACKAGE, "1.5.0"),
        new UpgradePlan.Options(RollbackScope.DEVICE, false, Duration.ZERO, Instant.now().plusSeconds(600), timeouts),
        UpgradePlan.Origin.person("ann"));
  }

  protected void start(UpgradeTimeouts timeouts) {
    server().bean(UpgradeWorkflowClient.class).start(plan(timeouts));
  }

  /// Returns timeouts without re-sends during a test, so that only the event consumer can end a wait.
  protected static UpgradeTimeouts withoutResends() {
    return timeouts(Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ofSeconds(20));
  }

  /// Returns timeouts with re-sends every second.
  protected static UpgradeTimeouts timeouts(Duration step) {
    return timeouts(step, Duration.ofSeconds(1), Duration.ofSeconds(20));
  }

  /// Returns timeouts with re-sends every second. Only this step is short.
  protected static UpgradeTimeouts timeoutsWith(Step step, Duration within) {
    UpgradeTimeouts patient = timeouts(Duration.ofMinutes(5));
    Map<Step, Duration> all = new EnumMap<>(patient.stepTimeout());
    all.put(step, within);
    return new UpgradeTimeouts(
        all, patient.resendInterval(), patient.maxResendInterval(), patient.backOff(), patient.cancelGrace());
  }

  protected static UpgradeTimeouts timeouts(Duration step, Duration resend, Duration abortGrace) {
    return new UpgradeTimeouts(
        Arrays.stream(Step.values()).collect(Collectors.toMap(each -> each, _ -> step)),
        resend,
        resend,
        Duration.ofSeconds(1),
        abortGrace);
  }

  protected WorkflowStub workflow() {
    return server().bean(TemporalClients.class).requestClient().newUntypedWorkflowStub(UpgradePlan.workflowId(device));
  }

  protected UpgradeResult result() throws Exception {
    try {
      return workflow().getResult(120, TimeUnit.SECONDS, UpgradeResult.class);
    } catch (WorkflowFailedException failed) {
      return UpgradeResult.ofFailure(failed.getCause()).orElseThrow(() -> failed);
    }
  }

  protected List<HistoryEvent> history() {
    return server()
        .bean(TemporalClients.class)
        .requestClient()
        .fetchHistory(UpgradePlan.workflowId(device))
        .getEvents();
  }

  protected int eventsInHistory() {
    return history().size();
  }

  protected int bytesOfHistory() {
    return history().stream().mapToInt(HistoryEvent::getSerializedSize).sum();
  }

  /// Returns the recorded end; empty while it runs.
  protected Optional<UpgradeEnd> recordedEnd() {
    return server().repositories().upgrades().find(device.tenant(), upgrade).flatMap(UpgradeRow::end);
  }

  /// Returns the step that the upgrade waits for; empty between two waits.
  protected Optional<Step> currentWait() {
    return server()
        .bean(UpgradeWorkflowClient.class)
        .status(device, upgrade)
        .map(UpgradeStatus::waits)
        .filter(waits -> !waits.isEmpty())
        .map(List::getFirst)
        .map(PendingWait::step);
  }

  protected void untilHeartbeatIsAwaited() {
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() -> currentWait().equals(Optional.of(AWAIT_HEARTBEAT)) && isHeartbeatAwaited(host.id()));
  }

  private boolean isHeartbeatAwaited(HostId expected) {
    return server().repositories().heartbeatWaits().find(device.tenant(), expected).isPresent();
  }

  /// Waits until one attempt has timed out and the next one has not started.
  protected void untilRetryIsScheduled() {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            workflow().describe().getRawDescription().getPendingActivitiesList().stream()
                .anyMatch(activity ->
                    activity.getAttempt() >= 2
                        && activity.getState() == PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED));
  }
}
