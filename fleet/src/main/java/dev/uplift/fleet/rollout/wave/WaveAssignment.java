package dev.uplift.fleet.rollout.wave;

import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import java.util.List;

/// Which device is in which wave. Every device is in exactly one.
public sealed interface WaveAssignment {
  record Assigned(List<Wave> waves) implements WaveAssignment {}

  /// The planned waves do not fit these devices.
  record Refused(List<PlanViolation> violations) implements WaveAssignment {}

  /// Each wave takes its devices from those that the waves before it have left, in an order by hash; a count or a share
  /// of them takes devices first that are heard. The same devices, waves and salt give the same answer, in whatever
  /// order they come.
  ///
  /// @param salt the rollout's id, so that each rollout has an order of its own
  /// @param members at least one
  static WaveAssignment of(RolloutPlan plan, String salt, List<SelectedDevice> members, DeviceMatcher deviceMatcher) {
    List<WaveSpec> waves = plan.waves().isEmpty() ? WaveSpec.defaults(members.size()) : plan.waves();
    return new WaveAssigner(salt, members, deviceMatcher).assign(waves);
  }

  /// The wave of a device that comes later: the first one to come that is made for such devices, else the last one.
  ///
  /// @param current number of the wave that is on
  static int waveOfLateJoiner(
      List<Wave> waves, int current, SelectedDevice selectedDevice, DeviceMatcher deviceMatcher) {
    return waves.stream()
        .filter(wave -> wave.number() >= current && wave.admits(selectedDevice, deviceMatcher))
        .findFirst()
        .orElseGet(waves::getLast)
        .number();
  }
}
