package dev.uplift.store.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/// The repositories of rollouts, and a rollout `north` of three waves.
abstract class RolloutRepositoryScenario extends DatabaseScenario {
  static final Release OS = new Release("os", "1.5");
  static final TargetError BROKEN = new TargetError("health", "final", "does not answer");

  RolloutRepository rollouts = database.repository(RolloutRepository.class);
  DeviceRolloutRepository ofDevices = database.repository(DeviceRolloutRepository.class);
  RolloutExclusionRepository exclusions = database.repository(RolloutExclusionRepository.class);
  RolloutTargetRepository targets = database.repository(RolloutTargetRepository.class);
  RolloutRevertRepository reverts = database.repository(RolloutRevertRepository.class);
  RolloutQueue queue = database.repository(RolloutQueue.class);
  RolloutStatistics counts = database.repository(RolloutStatistics.class);
  UpgradeRepository upgrades = database.repository(UpgradeRepository.class);

  @BeforeEach
  void open() {
    rollouts = database.repository(RolloutRepository.class);
    ofDevices = database.repository(DeviceRolloutRepository.class);
    exclusions = database.repository(RolloutExclusionRepository.class);
    targets = database.repository(RolloutTargetRepository.class);
    reverts = database.repository(RolloutRevertRepository.class);
    queue = database.repository(RolloutQueue.class);
    counts = database.repository(RolloutStatistics.class);
    upgrades = database.repository(UpgradeRepository.class);
  }

  RolloutId id(String name) {
    return new RolloutId(tenant, name);
  }

  NewRollout rollout(String name, RolloutState state) {
    return new NewRollout(
        id(name), "1.5 " + name, OS, "{\"plan\":1}", "{\"rules\":1}", "{}", state, "ann", Optional.empty(), 0);
  }

  /// Creates a running rollout with one wave per list of devices, without exclusions.
  @SafeVarargs
  final RolloutId runningRollout(String name, List<String>... waves) {
    var all =
        Stream.iterate(1, number -> number + 1)
            .limit(waves.length)
            .map(number -> new NewWave(number, number - 1, "wave " + number, waves[number - 1]))
            .toList();
    rollouts.create(rollout(name, RolloutState.RUNNING), new RolloutMembership(all, List.of()));
    return id(name);
  }

  RolloutId north() {
    RolloutId north = runningRollout("north", List.of("a"), List.of("c", "b"), List.of("d", "e", "f"));
    rollouts.startWave(north, 1);
    return north;
  }

  static ExcludedDevice leftOut(String device) {
    return new ExcludedDevice(device, "busy", "runs an upgrade");
  }

  /// Marks the upgrades of these devices as running.
  void start(RolloutId id, String... devices) {
    targets
        .markStarting(id, List.of(devices), false)
        .forEach(row -> {
          upgrades.createIfAbsent(
              new NewUpgrade(row.upgrade().orElseThrow(), device(row.device()), OS, "ann", "", "run-1"));
          targets.markStarted(id, row.device());
        });
  }

  /// Records the end of an upgrade, a second after the previous event.
  void endUpgrade(RolloutId id, String device, Outcome outcome) {
    clock.advance(Duration.ofSeconds(1));
    upgrades.recordEnd(
        tenant, target(id, device).upgrade().orElseThrow(), new UpgradeEnd(outcome, Optional.empty(), "[]"));
  }

  /// Collects the upgrades that have ended, like a pass.
  List<String> recordFinished(RolloutId id) {
    return database.inTransaction(() -> {
      assertThat(rollouts.lock(id)).isPresent();
      List<NewTargetResult> verdicts =
          queue.finishedUpgrades(id).stream()
              .map(ending -> {
                TargetResult result = TargetResult.of(ending.end().outcome());
                return new NewTargetResult(
                    ending.target().device(),
                    result,
                    true,
                    result.isFailure() ? Optional.of(BROKEN) : Optional.empty(),
                    ending.endedAt());
              })
              .toList();
      targets.recordResults(id, verdicts);
      return verdicts.stream().map(one -> one.device() + " " + one.result()).toList();
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
