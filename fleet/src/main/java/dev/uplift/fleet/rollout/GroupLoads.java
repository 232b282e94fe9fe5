package dev.uplift.fleet.rollout;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How many members of each group are in work or not verified. Grows as devices are chosen.
public final class GroupLoads {
  private final List<GroupLimit> limits;
  private final Map<Group, Integer> loads = new HashMap<>();

  /// A value of a label.
  public record Group(String label, String value) {}

  /// @param loads those that are not nought
  public GroupLoads(List<GroupLimit> limits, Map<Group, Integer> loads) {
    this.limits = List.copyOf(limits);
    this.loads.putAll(loads);
  }

  /// The first limit that one more such device would break, in words.
  Optional<String> full(Candidate candidate) {
    return limits.stream()
        .filter(limit -> group(limit, candidate).map(this::load).orElse(0) >= limit.atMost())
        .findFirst()
        .map(limit ->
            "%d of %s = %s in work or not verified, %d may be"
                .formatted(
                    group(limit, candidate).map(this::load).orElse(0),
                    limit.label(),
                    candidate.groups().get(limit.label()),
                    limit.atMost()));
  }

  void add(Candidate candidate) {
    limits.forEach(
        limit -> group(limit, candidate).ifPresent(group -> loads.merge(group, 1, Integer::sum)));
  }

  private int load(Group group) {
    return loads.getOrDefault(group, 0);
  }

  private static Optional<Group> group(GroupLimit limit, Candidate candidate) {
    return Optional.ofNullable(candidate.groups().get(limit.label()))
        .map(value -> new Group(limit.label(), value));
  }
}
