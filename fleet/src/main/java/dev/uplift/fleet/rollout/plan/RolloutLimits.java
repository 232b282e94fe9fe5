package dev.uplift.fleet.rollout.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// How fast a rollout goes.
///
/// @param maxParallel at most so many devices in progress, where a wave does not say otherwise
/// @param maxPreparing at most so many more that prepare, or have prepared, before their window
/// @param perMinute at most so many starts in any minute; empty: as many as there is room for
/// @param perLabel never all members of a group at once
public record RolloutLimits(int maxParallel, int maxPreparing, Optional<Integer> perMinute, List<GroupLimit> perLabel) {
  public static final RolloutLimits DEFAULTS = new RolloutLimits(100, 200, Optional.empty(), List.of());

  public RolloutLimits {
    perLabel = List.copyOf(perLabel);
  }

  void validate(ViolationCollector violations) {
    violations.requireAtLeast(1, "max_parallel", maxParallel);
    violations.requireAtLeast(0, "max_preparing", maxPreparing);
    perMinute.ifPresent(rate -> violations.requireWithin(1, 60_000, "per_minute", rate));
    Set<String> labels = new HashSet<>();
    for (int i = 0; i < perLabel.size(); i++) {
      GroupLimit limit = perLabel.get(i);
      ViolationCollector inside = violations.under("group_limits/" + i);
      inside.requireNotBlank("label", limit.label(), "the name of a label");
      inside.require(
          labels.add(limit.label()),
          "label",
          "%s stands here twice; expected one limit for it".formatted(limit.label()));
      inside.requireAtLeast(1, "at_most", limit.atMost());
    }
  }
}
