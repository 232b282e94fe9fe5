package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.rollout.SteerWish;
import dev.uplift.workflows.rollout.Steered;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Persons say something, and the server is killed after it has marked who starts and before it has
/// started them. Another one finishes what was begun.
final class KilledSteeringTest extends RolloutScenario {
  @Test
  void whoIsTriedAgainIsStartedOnceMoreAndOnlyOnce(TestInfo info) {
    String fleet = fleet(info, 2);
    world.hosts.fail(names(fleet, 2));
    RolloutId id = world.create(inOneWave(fleet, 10));
    assertThat(world.passOfAnother(id).toStart()).hasSize(2);
    await().atMost(RolloutWorld.PATIENCE).until(() -> world.tables.queue().endings(id).size() == 2);
    var _ = world.passOfAnother(id);
    world.hosts.repair();
    SteerWish again = SteerWish.of("again", Steer.RETRY_FAILED, "bob", "");
    assertThat(world.steerInTables(id, again).sentence()).isEqualTo("devices tried again: 2");
    assertThat(world.steerInTables(id, Steer.RESUME).done()).isTrue();

    assertThat(world.passOfOneThatIsKilled(id).toStart()).hasSize(2);
    assertThat(world.steerInTables(id, again).sentence()).isEqualTo("devices tried again: 2");
    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.targets(id)).extracting(TargetRow::attempt).containsOnly(2);
    assertEachOnce(id);
    assertThat(preparing(id)).isEqualTo(4);
    assertThat(world.row(id).verdicts()).isEqualTo(4);
  }

  @Test
  void whoWasMarkedBeforeTheWaveIsMarkedDoneIsStartedAndTheOthersAreLeftOut(TestInfo info) {
    String fleet = fleet(info, 6);
    RolloutId id = world.create(inOneWave(fleet, 2));
    assertThat(world.passOfOneThatIsKilled(id).toStart()).hasSize(2);

    Steered done = world.steerInTables(id, Steer.MARK_DONE);

    assertThat(done.sentence()).isEqualTo("wave 1 is done; devices left out: 4");
    world.start(id);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(world.in(id, TargetState.ENDED)).isEqualTo(2);
    assertThat(world.in(id, TargetState.SKIPPED)).isEqualTo(4);
    assertEachOnce(id);
  }

  @Test
  void whoIsMarkedCannotBeLeftOutAnyMore(TestInfo info) {
    String fleet = fleet(info, 3);
    RolloutId id = world.create(inOneWave(fleet, 1));
    String marked = world.passOfOneThatIsKilled(id).toStart().getFirst().device();
    String waiting = in(id, TargetState.PENDING).getFirst();

    assertThat(world.steerInTables(id, about(Steer.SKIP_DEVICE, marked)))
        .isEqualTo(new Steered(false, marked + " is starting; only a pending one can be left out"));
    assertThat(world.steerInTables(id, about(Steer.SKIP_DEVICE, waiting)).done()).isTrue();
    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(in(id, TargetState.SKIPPED)).containsExactly(waiting);
    assertThat(preparing(id)).isEqualTo(2);
    assertEachOnce(id);
  }

  @Test
  void whoIsAddedTakesPartOnceHoweverOftenItIsSaid(TestInfo info) {
    String fleet = fleet(info, 2);
    world.register("elsewhere", fleet + "-added", "");
    RolloutId id = world.create(inOneWave(fleet, 10));
    assertThat(world.passOfOneThatIsKilled(id).toStart()).hasSize(2);

    SteerWish add = about(Steer.ADD_DEVICE, fleet + "-added");
    assertThat(world.steerInTables(id, add).done()).isTrue();
    assertThat(world.steerInTables(id, add).done()).isTrue();
    assertThat(world.steerInTables(id, about(Steer.ADD_DEVICE, fleet + "-added")).done()).isFalse();
    assertThat(world.passOfOneThatIsKilled(id).toStart()).hasSize(3);
    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.row(id).verdicts()).isEqualTo(3);
    assertEachOnce(id);
  }

  @Test
  void whoJoinsLateIsUpgradedOnce(TestInfo info) {
    String fleet = fleet(info, 2);
    RolloutId id = world.create(withLateJoiners(inOneWave(fleet, 10)));
    assertThat(world.passOfOneThatIsKilled(id).toStart()).hasSize(2);
    world.register(fleet, fleet + "-late", "");

    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.row(id).verdicts()).isEqualTo(3);
    assertEachOnce(id);
  }

  @Test
  void whoWasStartedByAServerThatWasKilledBeforeItSaidSoIsNotStartedAgain(TestInfo info) {
    String fleet = fleet(info, 3);
    RolloutId id = world.create(inOneWave(fleet, 10));
    Passed marked = world.passOfOneThatIsKilled(id);
    world.runs.launchAndDie(marked);
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> marked.toStart().stream().allMatch(world.runs::hasEnded));
    List<String> runs = world.runs.newest(marked.toStart());

    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.runs.newest(marked.toStart())).isEqualTo(runs);
    assertEachOnce(id);
  }

  private static List<String> in(RolloutId id, TargetState state) {
    return world.targets(id).stream()
        .filter(target -> target.state() == state)
        .map(TargetRow::device)
        .toList();
  }

  private static SteerWish about(Steer what, String device) {
    return new SteerWish(
        what + device + System.nanoTime(),
        what,
        "bob",
        "",
        Optional.empty(),
        Optional.of(device),
        List.of(),
        Optional.empty());
  }
}
