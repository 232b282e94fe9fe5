package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.TestStacks;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.PageRequest;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.DeviceUpgrade.ProceedSignal;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Devices that prepare ahead of their windows, and continue when those open.
final class PrepareAheadTest extends RolloutScenario {
  private static final String ALWAYS = daily(LocalTime.MIDNIGHT, Duration.ofDays(1));

  /// Opens half a day from now.
  private final String later =
      daily(LocalTime.now(ZoneOffset.UTC).plusHours(12).truncatedTo(ChronoUnit.MINUTES), Duration.ofHours(2));

  private static String daily(LocalTime start, Duration duration) {
    return WindowJson.write(List.of(Window.of(EnumSet.allOf(DayOfWeek.class), start, Optional.empty(), duration)));
  }

  private String fleetWithWindows(TestInfo info, int devices) {
    String fleet = fleet(info, devices);
    window(fleet, devices, later);
    return fleet;
  }

  private static void window(String fleet, int devices, String windows) {
    for (String name : names(fleet, devices)) {
      worker.register(fleet, name, windows);
    }
  }

  private static RolloutPlan ahead(String fleet, int parallel, int preparing) {
    return with(
        RolloutTestWorker.plan(fleet),
        List.of(WaveSpec.of(new WaveSize.Rest())),
        new RolloutLimits(parallel, preparing, Optional.empty(), List.of()));
  }

  private static long prepared(RolloutId id) {
    return worker.targets(id).stream()
        .filter(target -> target.prepareAhead() && target.state() == TargetState.STARTED)
        .count();
  }

  private static DeviceId device(TargetRow target) {
    return new DeviceId(TestStacks.TENANT, target.device());
  }

  /// Signals the devices that a pass lets continue, without recording it.
  private static void signalWithoutRecording(PassResult passResult) {
    for (TargetRow target : passResult.toProceed()) {
      new UpgradeWorkflowClient(worker.temporal())
          .proceed(device(target), target.upgrade().orElseThrow(), new ProceedSignal(Optional.empty()));
    }
  }

  private static List<String> audit(String target) {
    return worker
        .repositories
        .audit()
        .list(TestStacks.TENANT, Optional.of(target), PageRequest.first(9))
        .rows()
        .stream()
        .map(row -> row.entry().action())
        .toList();
  }

  private static List<String> upgraded(RolloutId id) {
    return worker.hosts.upgraded().stream().filter(upgrade -> upgrade.startsWith(id.name() + ".")).toList();
  }

  private static void assertUpgradedOnce(RolloutId id, int devices) {
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(upgraded(id)).doesNotHaveDuplicates().hasSize(devices);
    assertEachOnce(id);
  }

  /// Creates a rollout without a workflow, and runs passes until all devices are prepared.
  private static RolloutId preparedByHand(String fleet, int devices) {
    RolloutId id = worker.create(ahead(fleet, 100, devices));
    worker.passOfAnotherServer(id);
    assertThat(prepared(id)).isEqualTo(devices);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == devices);
    return id;
  }

  @Test
  void preparesUpToTheLimitAndContinuesWhenWindowsOpen(TestInfo info) {
    String fleet = fleetWithWindows(info, 5);

    RolloutId id = worker.start(ahead(fleet, 2, 3));

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 3);
    assertThat(prepared(id)).isEqualTo(3);
    assertThat(worker.countIn(id, TargetState.PENDING)).isEqualTo(2);
    assertThat(upgraded(id)).isEmpty();

    window(fleet, 5, ALWAYS);

    assertUpgradedOnce(id, 5);
  }

  @Test
  void deviceMarkedByAKilledServerIsSignalledByTheNextOne(TestInfo info) {
    String fleet = fleetWithWindows(info, 3);
    RolloutId id = preparedByHand(fleet, 3);
    window(fleet, 3, ALWAYS);

    assertThat(worker.passOfKilledServer(id).toProceed()).hasSize(3);
    assertThat(worker.countIn(id, TargetState.PROCEEDING)).isEqualTo(3);
    worker.start(id);

    assertUpgradedOnce(id, 3);
  }

  @Test
  void deviceThatIsNotHeardAnyMoreIsNotToldToProceed(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    RolloutId id = preparedByHand(fleet, 2);
    String silent = names(fleet, 1)[0];
    worker.presence.silence(silent);
    window(fleet, 2, ALWAYS);

    worker.start(id);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> upgraded(id).size() == 1);
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.repositories.statistics().targetCounts(id).all().offline() == 1);
    assertThat(prepared(id)).isEqualTo(1);

    worker.presence.hear(silent);

    assertUpgradedOnce(id, 2);
  }

  @Test
  void repeatedSignalHasNoEffect(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    RolloutId id = preparedByHand(fleet, 2);
    window(fleet, 2, ALWAYS);
    PassResult killed = worker.passOfKilledServer(id);

    signalWithoutRecording(killed);
    signalWithoutRecording(killed);
    worker.start(id);

    assertUpgradedOnce(id, 2);
  }

  @Test
  void markedDeviceThatHasEndedIsCountedAndBlocksNoOther(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    RolloutId id = preparedByHand(fleet, 2);
    window(fleet, 2, ALWAYS);
    TargetRow first = worker.passOfKilledServer(id).toProceed().getFirst();
    new UpgradeWorkflowClient(worker.temporal())
        .update(
            device(first), first.upgrade().orElseThrow(), new UpgradeAction.Abort(), new Operator("ann", "wrong site"));

    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(worker.targets(id))
        .extracting(target -> target.result().orElseThrow())
        .containsExactlyInAnyOrder(TargetResult.ABORTED, TargetResult.UPGRADED);
  }

  @Test
  void noDeviceContinuesWhileItIsPaused(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    RolloutId id = preparedByHand(fleet, 2);
    window(fleet, 2, ALWAYS);
    assertThat(worker.passOfKilledServer(id).toProceed()).hasSize(2);
    worker.updateWithoutWorkflow(id, OperatorAction.PAUSE);

    assertThat(worker.passOfAnotherServer(id).toProceed()).isEmpty();
    assertThat(prepared(id)).isEqualTo(2);
    assertThat(upgraded(id)).isEmpty();

    worker.updateWithoutWorkflow(id, OperatorAction.RESUME);
    worker.start(id);
    assertUpgradedOnce(id, 2);
  }

  @Test
  void signalThatArrivesAfterTheAnswerToAPauseIsIgnored(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    RolloutId id = preparedByHand(fleet, 2);
    window(fleet, 2, ALWAYS);
    PassResult late = worker.passOfKilledServer(id);
    assertThat(late.toProceed()).hasSize(2);
    assertThat(worker.repositories.targets().markProceeded(id, late.toProceed().getFirst().device())).isTrue();
    worker.updateWithoutWorkflow(id, OperatorAction.PAUSE);

    signalWithoutRecording(late);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> prepared(id) == 2);
    worker.updateWithoutWorkflow(id, OperatorAction.RESUME);
    assertThat(upgraded(id)).isEmpty();
    worker.start(id);
    assertUpgradedOnce(id, 2);
  }

  @Test
  void signalThatTheRolloutHasNotSentIsIgnoredAndAudited(TestInfo info) {
    String fleet = fleetWithWindows(info, 1);
    RolloutId id = preparedByHand(fleet, 1);
    TargetRow prepared = worker.targets(id).getFirst();
    String upgrade = prepared.upgrade().orElseThrow();

    worker
        .temporal()
        .requestClient()
        .newUntypedWorkflowStub(UpgradePlan.workflowId(device(prepared)))
        .signal("proceed", new ProceedSignal(Optional.empty()));

    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> audit("upgrade/" + upgrade).equals(List.of("upgrade.refused")));
    assertThat(prepared(id)).isEqualTo(1);
    assertThat(upgraded(id)).isEmpty();
    window(fleet, 1, ALWAYS);
    worker.start(id);
    assertUpgradedOnce(id, 1);
  }

  @Test
  void softAbortEndsDevicesThatHaveOnlyPrepared(TestInfo info) {
    String fleet = fleetWithWindows(info, 3);
    RolloutId id = preparedByHand(fleet, 3);
    window(fleet, 1, ALWAYS);
    assertThat(worker.passOfKilledServer(id).toProceed()).hasSize(1);
    worker.updateWithoutWorkflow(id, OperatorAction.ABORT);

    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(worker.targets(id)).allMatch(target -> target.result().equals(Optional.of(TargetResult.ABORTED)));
    assertThat(upgraded(id)).isEmpty();
  }

  @Test
  void failedPreparationIsKnownBeforeTheWindow(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    worker.hosts.fail(names(fleet, 2));

    RolloutId id = worker.start(ahead(fleet, 2, 2));

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.countIn(id, TargetState.ENDED) == 2);
    assertThat(worker.targets(id)).allMatch(target -> target.result().equals(Optional.of(TargetResult.PREPARE_FAILED)));
    worker.update(id, OperatorAction.ABORT);
    assertThat(ended(id).outcome()).isPresent();
  }

  @Test
  void windowsOfTheRolloutRestrictThoseOfTheDevices(TestInfo info) {
    String fleet = fleet(info, 2);
    window(fleet, 1, daily(LocalTime.parse("02:00"), Duration.ofHours(2)));
    RolloutPlan plan = ahead(fleet, 2, 2);

    RolloutId id =
        worker.create(plan.withWindows(WindowJson.read(daily(LocalTime.parse("04:00"), Duration.ofHours(2)))));

    assertThat(worker.repositories.exclusions().list(id, PageRequest.first(9)).rows())
        .extracting(ExcludedDevice::device, ExcludedDevice::reason)
        .containsExactly(tuple(names(fleet, 1)[0], "no-window"));
    assertThat(worker.targets(id)).extracting(TargetRow::device).containsExactly(names(fleet, 2)[1]);
  }

  @Test
  void windowsOfTheRolloutAreAwaited(TestInfo info) {
    String fleet = fleet(info, 1);
    window(fleet, 1, ALWAYS);
    RolloutId id = worker.create(ahead(fleet, 2, 2).withWindows(WindowJson.read(later)));

    worker.passOfAnotherServer(id);

    assertThat(prepared(id)).isEqualTo(1);
    worker.updateWithoutWorkflow(id, OperatorAction.ABORT);
    worker.start(id);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
  }
}
