package dev.uplift.fleet.rollout.plan;

import dev.uplift.fleet.rollout.plan.WaveSize.Count;
import dev.uplift.fleet.rollout.plan.WaveSize.Matching;
import dev.uplift.fleet.rollout.plan.WaveSize.PerValue;
import dev.uplift.fleet.rollout.plan.WaveSize.Percent;
import dev.uplift.fleet.rollout.plan.WaveSize.Rest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A wave as it is planned. One that is made per value of a label becomes several.
///
/// @param spreadOver label over whose values the devices are picked evenly; of a count or a percentage only
/// @param soak for how long the upgraded devices have to stay healthy before the wave is done
/// @param maxParallel at most so many in progress at once; empty: as the rollout's limits say
public record WaveSpec(
    WaveSize size, Optional<String> spreadOver, Gate gate, Duration soak, Optional<Integer> maxParallel) {
  private static final Duration MAX_SOAK = Duration.ofDays(90);

  public static WaveSpec of(WaveSize size) {
    return new WaveSpec(size, Optional.empty(), new Gate.Automatic(), Duration.ZERO, Optional.empty());
  }

  /// The default waves of so many devices: one goes ahead, then a tenth, then the rest. Few devices make fewer waves,
  /// for none is empty.
  public static List<WaveSpec> defaults(int members) {
    WaveSpec canary = of(new Count(1));
    WaveSpec rest = of(new Rest());
    return switch (members) {
      case 1 -> List.of(rest);
      case 2 -> List.of(canary, rest);
      default -> List.of(canary, of(new Percent(10)), rest);
    };
  }

  public WaveSpec spreadOver(String label) {
    return new WaveSpec(size, Optional.of(label), gate, soak, maxParallel);
  }

  public WaveSpec withGate(Gate opened) {
    return new WaveSpec(size, spreadOver, opened, soak, maxParallel);
  }

  public WaveSpec withSoak(Duration time) {
    return new WaveSpec(size, spreadOver, gate, time, maxParallel);
  }

  public WaveSpec withMaxParallel(int devices) {
    return new WaveSpec(size, spreadOver, gate, soak, Optional.of(devices));
  }

  void validate(ViolationCollector violations) {
    switch (size) {
      case Count(int devices) -> violations.requireAtLeast(1, "count", devices);
      case Percent(int percent) -> violations.requireWithin(1, 100, "percent", percent);
      case Matching(String expression) ->
          violations.requireNotBlank("expression", expression, "one such as labels.ring == 'late'");
      case PerValue(String label) -> violations.requireNotBlank("each_value_of", label, "the name of a label");
      case Rest() -> {}
    }
    spreadOver.ifPresent(label -> {
      violations.requireNotBlank("spread_by_label", label, "the name of a label");
      violations.require(
          size instanceof Count || size instanceof Percent,
          "spread_by_label",
          "expected only with count or percent: %s takes all there are".formatted(size.describe()));
    });
    violations.requireWithin(MAX_SOAK, "soak_seconds", soak);
    maxParallel.ifPresent(most -> violations.requireAtLeast(1, "max_parallel", most));
  }
}
