package dev.uplift.fleet.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The rules for the current wave.
///
/// @param number of the wave, from 1
/// @param waves so many there are
/// @param notAfter no device is begun past this
public record WaveRules(
    int number,
    int waves,
    Gate gate,
    Duration soak,
    Limits limits,
    Thresholds thresholds,
    Optional<Instant> notAfter) {

  /// Of a wave with its number, in a rollout with so many.
  public static WaveRules of(RolloutPlan plan, WaveSpec wave, int number, int waves) {
    Limits all = plan.limits();
    return new WaveRules(
        number,
        waves,
        wave.gate(),
        wave.soak(),
        new Limits(
            wave.maxParallel().orElse(all.maxParallel()),
            all.maxPreparing(),
            all.perMinute(),
            all.perLabel()),
        plan.thresholds(),
        plan.notAfter());
  }

  boolean isLast() {
    return number == waves;
  }

  String title() {
    return "wave %d of %d".formatted(number, waves);
  }
}
