package dev.uplift.activities;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeRow;
import dev.uplift.workflows.device.Ending;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.device.Status;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.Wait;
import io.temporal.api.enums.v1.PendingActivityState;
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

/// The whole way: workflow, activity, command, host, event, bridge, workflow. One device with one
/// host, which is played by hand.
@Timeout(240)
@ExtendWith(EndsShared.class)
public abstract class Scenario {
  protected final String upgrade = "u-" + UUID.randomUUID();
  protected final DeviceId device =
      new DeviceId(TestServers.TENANT, "site-" + UUID.randomUUID().toString().substring(0, 8));
  protected HostByHand host;
  private final List<HostByHand> hosts = new ArrayList<>();

  /// The server that is tested.
  protected abstract World world();

  @BeforeEach
  void connect() throws Exception {
    host = connect("left");
    world().register(device, List.of(host.id()));
  }

  protected HostByHand connect(String name) throws Exception {
    HostByHand fresh =
        new HostByHand(
            TestServers.connectAsDevice(world().stack(), TestServers.TENANT),
            TestServers.TENANT,
            name,
            World.trustedKeys());
    hosts.add(fresh);
    return fresh;
  }

  @AfterEach
  void leave() throws Exception {
    endWhatRuns();
    for (HostByHand each : hosts) {
      each.leave();
    }
  }

  /// So that no workflow of one test is in the way of the next one.
  private void endWhatRuns() {
    try {
      workflow().terminate("the test is over");
    } catch (RuntimeException _) {
      // It has ended, or its server is away.
    }
  }

  protected UpgradePlan plan(Pace pace) {
    return new UpgradePlan(
        upgrade,
        device,
        List.of(host.id()),
        new Release(World.PACKAGE, "1.5.0"),
        Reach.DEVICE,
        false,
        "ann",
        true,
        Duration.ZERO,
        Instant.now().plusSeconds(600),
        pace);
  }

  protected void start(Pace pace) {
    world().wiring().starter().start(plan(pace));
  }

  /// Nothing is sent again within a test, so only the bridge can end a wait.
  protected static Pace withoutResends() {
    return pace(Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ofSeconds(20));
  }

  /// Sent again every second.
  protected static Pace pace(Duration step) {
    return pace(step, Duration.ofSeconds(1), Duration.ofSeconds(20));
  }

  /// Sent again every second. Only this step is short.
  protected static Pace paceWith(Step step, Duration within) {
    Pace patient = pace(Duration.ofMinutes(5));
    Map<Step, Duration> all = new EnumMap<>(patient.within());
    all.put(step, within);
    return new Pace(
        all, patient.resend(), patient.resendAtMost(), patient.backOff(), patient.abortGrace());
  }

  protected static Pace pace(Duration step, Duration resend, Duration abortGrace) {
    return new Pace(
        Arrays.stream(Step.values()).collect(Collectors.toMap(each -> each, _ -> step)),
        resend,
        resend,
        Duration.ofSeconds(1),
        abortGrace);
  }

  protected WorkflowStub workflow() {
    return world()
        .wiring()
        .temporal()
        .requestClient()
        .newUntypedWorkflowStub(UpgradePlan.workflowId(device));
  }

  protected Ending ending() throws Exception {
    return workflow().getResult(120, TimeUnit.SECONDS, Ending.class);
  }

  protected int eventsInHistory() {
    return world()
        .wiring()
        .temporal()
        .requestClient()
        .fetchHistory(UpgradePlan.workflowId(device))
        .getEvents()
        .size();
  }

  /// What stands in the records; empty as long as it has not ended.
  protected Optional<UpgradeEnd> recorded() {
    return world().tables().upgrades().find(device.tenant(), upgrade).flatMap(UpgradeRow::end);
  }

  /// `upgrade`: what it waits for at the moment; empty between two waits.
  protected Optional<Step> waitsFor() {
    return world()
        .wiring()
        .steering()
        .status(device, upgrade)
        .map(Status::waits)
        .filter(waits -> !waits.isEmpty())
        .map(List::getFirst)
        .map(Wait::step);
  }

  protected void awaitHeartbeatIsAwaited() {
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() -> waitsFor().equals(Optional.of(AWAIT_HEARTBEAT)) && isExpected(host.id()));
  }

  private boolean isExpected(HostId expected) {
    return world().tables().expectations().find(device.tenant(), expected).isPresent();
  }

  /// Until one attempt has timed out and the next one has not begun.
  protected void awaitBackOff() {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            workflow().describe().getRawDescription().getPendingActivitiesList().stream()
                .anyMatch(activity ->
                    activity.getAttempt() >= 2
                        && activity.getState()
                            == PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED));
  }
}
