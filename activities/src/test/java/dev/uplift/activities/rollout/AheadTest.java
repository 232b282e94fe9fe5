package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.TestServers;
import dev.uplift.activities.temporal.Proceeding;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.activities.window.WindowTexts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.fleet.window.Window;
import dev.uplift.store.Membership.LeftOut;
import dev.uplift.store.PageRequest;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.device.Go;
import dev.uplift.workflows.device.Operator;
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

/// Devices that prepare ahead of their windows, and go on when those open.
final class AheadTest extends RolloutScenario {
  private static final String ALWAYS = daily(LocalTime.MIDNIGHT, Duration.ofDays(1));

  /// Half a day from now.
  private final String later =
      daily(
          LocalTime.now(ZoneOffset.UTC).plusHours(12).truncatedTo(ChronoUnit.MINUTES),
          Duration.ofHours(2));

  private static String daily(LocalTime start, Duration duration) {
    return WindowTexts.write(
        List.of(Window.of(EnumSet.allOf(DayOfWeek.class), start, Optional.empty(), duration)));
  }

  private String fleetWithWindows(TestInfo info, int devices) {
    String fleet = fleet(info, devices);
    window(fleet, devices, later);
    return fleet;
  }

  private static void window(String fleet, int devices, String windows) {
    for (String name : names(fleet, devices)) {
      world.register(fleet, name, windows);
    }
  }

  private static RolloutPlan ahead(String fleet, int parallel, int preparing) {
    return with(
        RolloutWorld.plan(fleet),
        List.of(WaveSpec.of(new WaveSize.Rest())),
        new Limits(parallel, preparing, Optional.empty(), List.of()));
  }

  private static long prepared(RolloutId id) {
    return world.targets(id).stream()
        .filter(target -> target.ahead() && target.state() == TargetState.STARTED)
        .count();
  }

  private static DeviceId device(TargetRow target) {
    return new DeviceId(TestServers.TENANT, target.device());
  }

  /// Those that a pass wanted to go on are told, and that is not written down.
  private static void tell(Passed passed) {
    for (TargetRow target : passed.toProceed()) {
      new Proceeding(world.temporal())
          .proceed(device(target), target.upgrade().orElseThrow(), new Go(Optional.empty()));
    }
  }

  private static List<String> upgraded(RolloutId id) {
    return world.hosts.upgraded().stream()
        .filter(upgrade -> upgrade.startsWith(id.name() + "."))
        .toList();
  }

  private static void assertUpgradedOnce(RolloutId id, int devices) {
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(upgraded(id)).doesNotHaveDuplicates().hasSize(devices);
    assertEachOnce(id);
  }

  /// Its workflow does not run; other servers pass, until all of them wait for their go.
  private static RolloutId preparedByHand(String fleet, int devices) {
    RolloutId id = world.create(ahead(fleet, 100, devices));
    world.passOfAnother(id);
    assertThat(prepared(id)).isEqualTo(devices);
    return id;
  }

  @Test
  void asManyAsMayPrepareAndAllGoOnWhenTheirWindowsOpen(TestInfo info) {
    String fleet = fleetWithWindows(info, 5);

    RolloutId id = world.start(ahead(fleet, 2, 3));

    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 3);
    assertThat(prepared(id)).isEqualTo(3);
    assertThat(world.in(id, TargetState.PENDING)).isEqualTo(2);
    assertThat(upgraded(id)).isEmpty();

    window(fleet, 5, ALWAYS);

    assertUpgradedOnce(id, 5);
  }

  @Test
  void whoWasMarkedByAServerThatWasKilledIsToldByTheNextOne(TestInfo info) {
    String fleet = fleetWithWindows(info, 3);
    RolloutId id = preparedByHand(fleet, 3);
    window(fleet, 3, ALWAYS);

    assertThat(world.passOfOneThatIsKilled(id).toProceed()).hasSize(3);
    assertThat(world.in(id, TargetState.PROCEEDING)).isEqualTo(3);
    world.start(id);

    assertUpgradedOnce(id, 3);
  }

  @Test
  void whoWasToldAndNotWrittenDownIsToldAgainToNoEffect(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    RolloutId id = preparedByHand(fleet, 2);
    window(fleet, 2, ALWAYS);
    Passed killed = world.passOfOneThatIsKilled(id);

    tell(killed);
    tell(killed);
    world.start(id);

    assertUpgradedOnce(id, 2);
  }

  @Test
  void whoWasMarkedAndHasEndedMeanwhileIsCountedAndHoldsUpNobody(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    RolloutId id = preparedByHand(fleet, 2);
    window(fleet, 2, ALWAYS);
    TargetRow first = world.passOfOneThatIsKilled(id).toProceed().getFirst();
    new Steering(world.temporal())
        .abort(device(first), first.upgrade().orElseThrow(), new Operator("ann", "wrong site"));

    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(world.targets(id))
        .extracting(target -> target.verdict().orElseThrow())
        .containsExactlyInAnyOrder(Verdict.ABORTED, Verdict.UPGRADED);
  }

  @Test
  void nobodyIsToldWhileItIsPaused(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    RolloutId id = preparedByHand(fleet, 2);
    window(fleet, 2, ALWAYS);
    assertThat(world.passOfOneThatIsKilled(id).toProceed()).hasSize(2);
    world.steerInTables(id, Steer.PAUSE);

    assertThat(world.passOfAnother(id).toProceed()).isEmpty();
    assertThat(prepared(id)).isEqualTo(2);
    assertThat(upgraded(id)).isEmpty();

    world.steerInTables(id, Steer.RESUME);
    world.start(id);
    assertUpgradedOnce(id, 2);
  }

  @Test
  void softAbortEndsThoseThatHaveButPrepared(TestInfo info) {
    String fleet = fleetWithWindows(info, 3);
    RolloutId id = preparedByHand(fleet, 3);
    window(fleet, 1, ALWAYS);
    assertThat(world.passOfOneThatIsKilled(id).toProceed()).hasSize(1);
    world.steerInTables(id, Steer.ABORT);

    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(world.targets(id))
        .allMatch(target -> target.verdict().equals(Optional.of(Verdict.ABORTED)));
    assertThat(upgraded(id)).isEmpty();
  }

  @Test
  void whoCannotPrepareIsKnownBeforeTheNight(TestInfo info) {
    String fleet = fleetWithWindows(info, 2);
    world.hosts.fail(names(fleet, 2));

    RolloutId id = world.start(ahead(fleet, 2, 2));

    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) == 2);
    assertThat(world.targets(id))
        .allMatch(target -> target.verdict().equals(Optional.of(Verdict.PREPARE_FAILED)));
    world.steer(id, Steer.ABORT);
    assertThat(ended(id).outcome()).isPresent();
  }

  @Test
  void windowsOfTheRolloutCutThoseOfTheDevices(TestInfo info) {
    String fleet = fleet(info, 2);
    window(fleet, 1, daily(LocalTime.parse("02:00"), Duration.ofHours(2)));
    RolloutPlan plan = ahead(fleet, 2, 2);

    RolloutId id =
        world.create(
            plan.withWindows(
                WindowTexts.read(daily(LocalTime.parse("04:00"), Duration.ofHours(2)))));

    assertThat(world.tables.rollouts().leftOut(id, PageRequest.first(9)).rows())
        .extracting(LeftOut::device, LeftOut::reason)
        .containsExactly(tuple(names(fleet, 1)[0], "no-window"));
    assertThat(world.targets(id)).extracting(TargetRow::device).containsExactly(names(fleet, 2)[1]);
  }

  @Test
  void windowsOfTheRolloutAreWaitedFor(TestInfo info) {
    String fleet = fleet(info, 1);
    window(fleet, 1, ALWAYS);
    RolloutId id = world.create(ahead(fleet, 2, 2).withWindows(WindowTexts.read(later)));

    world.passOfAnother(id);

    assertThat(prepared(id)).isEqualTo(1);
    world.steerInTables(id, Steer.ABORT);
    world.start(id);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
  }
}
