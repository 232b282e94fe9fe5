package dev.uplift.fleet.rollout.decision;

import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.Thresholds;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The rules for the current wave.
///
/// @param number of the wave, from 1
/// @param waveCount so many there are
/// @param notAfter no device is begun past this
public record WaveRules(
    int number,
    int waveCount,
    Gate gate,
    Duration soak,
    RolloutLimits limits,
    Thresholds thresholds,
    Optional<Instant> notAfter) {

  /// Of a wave with its number, in a rollout with so many.
  public static WaveRules of(RolloutPlan plan, WaveSpec wave, int number, int waves) {
    RolloutLimits all = plan.limits();
    return new WaveRules(
        number,
        waves,
        wave.gate(),
        wave.soak(),
        new RolloutLimits(
            wave.maxParallel().orElse(all.maxParallel()), all.maxPreparing(), all.perMinute(), all.perLabel()),
        plan.thresholds(),
        plan.notAfter());
  }

  boolean isLast() {
    return number == waveCount;
  }

  public String title() {
    return "wave %d of %d".formatted(number, waveCount);
  }
}
