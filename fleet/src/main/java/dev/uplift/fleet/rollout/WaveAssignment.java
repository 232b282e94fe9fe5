package dev.uplift.fleet.rollout;

import java.util.List;

/// Which device is in which wave. Every device is in exactly one.
public sealed interface WaveAssignment {
  record Assigned(List<Wave> waves) implements WaveAssignment {}

  /// The planned waves do not fit these devices.
  record Refused(List<Fault> faults) implements WaveAssignment {}

  /// Each wave takes its devices from those that the waves before it have left, in an order by
  /// hash. The same devices, waves and salt give the same answer, in whatever order they come.
  ///
  /// @param salt the rollout's id, so that each rollout has an order of its own
  /// @param members at least one
  static WaveAssignment of(RolloutPlan plan, String salt, List<Member> members, Matcher matcher) {
    List<WaveSpec> waves = plan.waves().isEmpty() ? WaveSpec.usual(members.size()) : plan.waves();
    return new Dealing(salt, members, matcher).deal(waves);
  }

  /// The wave of a device that comes later: the first one to come that is made for such devices,
  /// else the last one.
  ///
  /// @param current number of the wave that is on
  static int ofLateJoiner(List<Wave> waves, int current, Member member, Matcher matcher) {
    return waves.stream()
        .filter(wave -> wave.number() >= current && wave.isMadeFor(member, matcher))
        .findFirst()
        .orElseGet(waves::getLast)
        .number();
  }
}
