package dev.uplift.fleet.rollout;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// How fast a rollout goes.
///
/// @param maxParallel at most so many devices in work, where a wave does not say otherwise
/// @param maxPreparing at most so many more that prepare, or have prepared, for a window to come
/// @param perMinute at most so many starts in any minute; empty: as many as there is room for
/// @param perLabel never all members of a group at once
public record Limits(
    int maxParallel, int maxPreparing, Optional<Integer> perMinute, List<GroupLimit> perLabel) {
  public static final Limits USUAL = new Limits(100, 200, Optional.empty(), List.of());

  public Limits {
    perLabel = List.copyOf(perLabel);
  }

  void check(Faults faults) {
    faults.atLeast(1, "max_parallel", maxParallel);
    faults.atLeast(0, "max_preparing", maxPreparing);
    perMinute.ifPresent(rate -> faults.within(1, 60_000, "per_minute", rate));
    Set<String> labels = new HashSet<>();
    for (int i = 0; i < perLabel.size(); i++) {
      GroupLimit limit = perLabel.get(i);
      Faults inside = faults.in("per_label/" + i);
      inside.notBlank("label", limit.label(), "the name of a label");
      inside.expect(
          labels.add(limit.label()),
          "label",
          "%s stands here twice; expected one limit for it".formatted(limit.label()));
      inside.atLeast(1, "at_most", limit.atMost());
    }
  }
}
