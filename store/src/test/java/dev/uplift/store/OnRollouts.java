package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.store.Membership.LeftOut;
import dev.uplift.store.Membership.NewWave;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/// What tests about rollouts need: the classes, and a rollout `north` of three waves.
abstract class OnRollouts extends OnBothDatabases {
  static final Release OS = new Release("os", "1.5");
  static final TargetError BROKEN = new TargetError("health", "final", "does not answer");

  Rollouts rollouts = new Rollouts(database, clock);
  RolloutTargets targets = new RolloutTargets(database, clock);
  RolloutReverts reverts = new RolloutReverts(database);
  RolloutQueue queue = new RolloutQueue(database);
  RolloutCounts counts = new RolloutCounts(database);
  Upgrades upgrades = new Upgrades(database, clock);

  @BeforeEach
  void open() {
    rollouts = new Rollouts(database, clock);
    targets = new RolloutTargets(database, clock);
    reverts = new RolloutReverts(database);
    queue = new RolloutQueue(database);
    counts = new RolloutCounts(database);
    upgrades = new Upgrades(database, clock);
  }

  RolloutId id(String name) {
    return new RolloutId(tenant, name);
  }

  NewRollout rollout(String name, RolloutState state) {
    return new NewRollout(
        id(name),
        "1.5 " + name,
        OS,
        "{\"plan\":1}",
        "{\"rules\":1}",
        "{}",
        state,
        "ann",
        Optional.empty(),
        0);
  }

  /// A running rollout with a wave of each list of devices, and nobody left out.
  @SafeVarargs
  final RolloutId running(String name, List<String>... waves) {
    var all =
        Stream.iterate(1, number -> number + 1)
            .limit(waves.length)
            .map(number -> new NewWave(number, number - 1, "wave " + number, waves[number - 1]))
            .toList();
    rollouts.create(rollout(name, RolloutState.RUNNING), new Membership(all, List.of()));
    return id(name);
  }

  RolloutId north() {
    RolloutId north = running("north", List.of("a"), List.of("c", "b"), List.of("d", "e", "f"));
    rollouts.enter(north, 1);
    return north;
  }

  static LeftOut leftOut(String device) {
    return new LeftOut(device, "busy", "runs an upgrade");
  }

  /// Their upgrades run.
  void start(RolloutId id, String... devices) {
    targets
        .begin(id, List.of(devices), false)
        .forEach(row -> {
          upgrades.begin(
              new NewUpgrade(
                  row.upgrade().orElseThrow(), device(row.device()), OS, "ann", "", "run-1"));
          targets.started(id, row.device());
        });
  }

  /// An upgrade has ended, a second after whatever was before.
  void ends(RolloutId id, String device, Outcome outcome) {
    clock.pass(Duration.ofSeconds(1));
    upgrades.end(
        tenant,
        target(id, device).upgrade().orElseThrow(),
        new UpgradeEnd(outcome, Optional.empty(), "[]"));
  }

  /// What a pass does about upgrades that have ended.
  List<String> collect(RolloutId id) {
    return database.together(() -> {
      assertThat(rollouts.lock(id)).isPresent();
      List<TargetVerdict> verdicts =
          queue.endings(id).stream()
              .map(ending -> {
                Verdict verdict = Verdict.of(ending.end().outcome());
                return new TargetVerdict(
                    ending.target().device(),
                    verdict,
                    true,
                    verdict.isFailure() ? Optional.of(BROKEN) : Optional.empty(),
                    ending.endedAt());
              })
              .toList();
      targets.end(id, verdicts);
      return verdicts.stream().map(one -> one.device() + " " + one.verdict()).toList();
    });
  }

  TargetRow target(RolloutId id, String device) {
    return queue.find(id, device).orElseThrow();
  }

  TargetState state(RolloutId id, String device) {
    return target(id, device).state();
  }

  static List<String> names(List<TargetRow> rows) {
    return rows.stream().map(TargetRow::device).toList();
  }
}
