package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.GroupLimit;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.store.TargetRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// How many devices are at work at once, and how many begin in a minute: counted where they work.
final class LimitsTest extends RolloutScenario {
  @Test
  void asManyAreAtWorkAtOnceAsTheRolloutAllowsAndNoMore(TestInfo info) {
    String fleet = fleet(info, 24);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 5));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 5);
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.hosts.mostAtOnce(device -> device.startsWith(fleet))).isEqualTo(5);
  }

  @Test
  void aWaveMayHaveALimitOfItsOwn(TestInfo info) {
    String fleet = fleet(info, 12);
    RolloutPlan plan =
        with(
            RolloutWorld.plan(fleet),
            List.of(WaveSpec.of(new WaveSize.Count(6)).atOnce(2), WaveSpec.of(new WaveSize.Rest())),
            limits(4));
    RolloutId id = world.start(plan);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.hosts.mostAtOnce(device -> isIn(id, device, 1))).isBetween(1L, 2L);
    assertThat(world.hosts.mostAtOnce(device -> isIn(id, device, 2))).isBetween(1L, 4L);
  }

  private static boolean isIn(RolloutId id, String device, int wave) {
    return world
        .tables
        .queue()
        .find(id, device)
        .filter(target -> target.turn().wave() == wave)
        .isPresent();
  }

  @Test
  void ofAGroupNoMoreAreAtWorkAtOnceThanMayBe(TestInfo info) {
    String fleet = fleet(info, 0);
    for (int i = 0; i < 12; i++) {
      String group = fleet + "-" + "abc".charAt(i % 3);
      world.register(group + i, Map.of("fleet", fleet, "ha", group), "");
    }
    var limits = new Limits(100, 0, Optional.empty(), List.of(new GroupLimit("ha", 2)));
    RolloutPlan plan =
        with(RolloutWorld.plan(fleet), List.of(WaveSpec.of(new WaveSize.Rest())), limits);
    world.hosts.holdUp();
    RolloutId id = world.start(plan);
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 6);
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    for (String group : List.of("-a", "-b", "-c")) {
      assertThat(world.hosts.mostAtOnce(device -> device.startsWith(fleet + group)))
          .isBetween(1L, 2L);
    }
  }

  @Test
  void twoRolloutsShareThePlacesOfAGroup(TestInfo info) {
    String fleet = fleet(info, 0);
    for (int i = 0; i < 8; i++) {
      String half = i % 2 == 0 ? fleet + "-even" : fleet + "-odd";
      world.register(fleet + "-" + i, Map.of("fleet", half, "ha", fleet), "");
    }
    var limits = new Limits(100, 0, Optional.empty(), List.of(new GroupLimit("ha", 1)));
    List<WaveSpec> all = List.of(WaveSpec.of(new WaveSize.Rest()));
    RolloutId even = world.start(with(RolloutWorld.plan(fleet + "-even"), all, limits));
    RolloutId odd = world.start(with(RolloutWorld.plan(fleet + "-odd"), all, limits));

    assertThat(ended(even).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(ended(odd).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.hosts.mostAtOnce(device -> device.startsWith(fleet))).isEqualTo(1);
  }

  @Test
  void inAnyMinuteNoMoreBeginThanMayBeAlsoWhereDevicesAreTriedAgain(TestInfo info) {
    String fleet = fleet(info, 8);
    world.hosts.fail(names(fleet, 8));
    var limits = new Limits(2, 0, Optional.of(3), List.of());
    RolloutId id =
        world.create(
            with(RolloutWorld.plan(fleet), List.of(WaveSpec.of(new WaveSize.Rest())), limits));
    assertThat(world.passOfAnother(id).toStart()).hasSize(2);
    await().atMost(RolloutWorld.PATIENCE).until(() -> world.tables.queue().endings(id).size() == 2);
    assertThat(world.passOfAnother(id).row().state()).isEqualTo(RolloutState.PAUSED);
    assertThat(world.steerInTables(id, Steer.RETRY_FAILED).done()).isTrue();
    assertThat(world.steerInTables(id, Steer.RESUME).done()).isTrue();

    assertThat(world.passOfAnother(id).toStart()).extracting(TargetRow::attempt).containsExactly(2);
    assertThat(world.passOfAnother(id).toStart()).isEmpty();
    assertThat(world.row(id).waiting().orElseThrow().what()).isEqualTo(Waiting.RATE);
    assertThat(world.passAt(id, Instant.now().plusSeconds(61)).toStart()).isNotEmpty();
  }

  @Test
  void onceAPauseIsAnsweredNobodyIsJustBeingStarted(TestInfo info) {
    String fleet = fleet(info, 60);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 100));
    await()
        .pollInterval(Duration.ofMillis(1))
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.in(id, TargetState.PENDING) < 60);

    assertThat(world.steer(id, Steer.PAUSE)).isInstanceOf(Steered.Done.class);
    assertThat(world.in(id, TargetState.STARTING)).isZero();
    long begun = world.in(id, TargetState.STARTED);
    world.hosts.goOn();

    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) == begun);
    assertThat(preparing(id)).isEqualTo(begun);
    assertThat(world.in(id, TargetState.PENDING)).isEqualTo(60 - begun);
  }
}
