package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.decision.SoakWatch;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// A wave of [FakeRollout], which counts its devices.
final class FakeWave {
  final WaveSpec spec;
  final Map<TargetResult, Integer> ended = new EnumMap<>(TargetResult.class);
  int pending;
  int running;
  int reverting;
  Optional<Instant> lastEndedAt = Optional.empty();
  SoakWatch watch = SoakWatch.NONE;

  FakeWave(WaveSpec spec, int devices) {
    this.spec = spec;
    this.pending = devices;
  }

  WaveCounts counts() {
    return new WaveCounts(pending, running, 0, 0, ended);
  }
}
