package dev.uplift.fleet;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// How long steps may take, where an upgrade, a rollout or a release says so. The steps are those whose time depends on
/// what is installed; the server alone decides on all others.
///
/// @param byStep the steps that it says something about
public record StepTimeouts(Map<Step, Duration> byStep) {
  public static final List<Step> SETTABLE =
      List.of(Step.PREPARE, Step.UPGRADE, Step.REBOOT, Step.AWAIT_HEARTBEAT, Step.ROLLBACK);

  /// No server allows more.
  public static final Duration MAX = Duration.ofDays(7);

  /// Says nothing.
  public static final StepTimeouts NONE = new StepTimeouts(Map.of());

  public StepTimeouts {
    // There were rows without them.
    byStep = byStep == null ? Map.of() : Map.copyOf(byStep);
    if (!SETTABLE.containsAll(byStep.keySet())) {
      throw new IllegalArgumentException("expected steps of %s, found %s".formatted(SETTABLE, byStep.keySet()));
    }
  }

  /// Returns these; for a step that they say nothing about, those of `other`.
  public StepTimeouts orElse(StepTimeouts other) {
    Map<Step, Duration> both = new EnumMap<>(Step.class);
    both.putAll(other.byStep);
    both.putAll(byStep);
    return new StepTimeouts(both);
  }

  /// Returns these, each at most `longest`.
  public StepTimeouts atMost(Duration longest) {
    Map<Step, Duration> limited = new EnumMap<>(Step.class);
    byStep.forEach((step, time) -> limited.put(step, time.compareTo(longest) > 0 ? longest : time));
    return new StepTimeouts(limited);
  }

  /// Returns the steps that are given more than `longest`.
  public List<Step> longerThan(Duration longest) {
    return SETTABLE.stream().filter(step -> byStep.getOrDefault(step, Duration.ZERO).compareTo(longest) > 0).toList();
  }
}
