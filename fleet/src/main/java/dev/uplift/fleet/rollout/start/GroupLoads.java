package dev.uplift.fleet.rollout.start;

import dev.uplift.fleet.rollout.plan.GroupLimit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Counts the members of each group that are in progress, not verified or silent. Grows as devices are chosen.
public final class GroupLoads {
  private final List<GroupLimit> limits;
  private final Map<Group, Set<String>> members = new HashMap<>();

  /// A value of a label.
  public record Group(String label, String value) {}

  /// @param members devices that take a place in their groups
  public GroupLoads(List<GroupLimit> limits, Map<Group, Set<String>> members) {
    this.limits = List.copyOf(limits);
    members.forEach((group, devices) -> this.members.put(group, new HashSet<>(devices)));
  }

  /// The first limit that one more such device would break, in words. A device that has its place already, because it
  /// is silent, needs no other one.
  Optional<String> findFullGroup(Candidate candidate) {
    return limits.stream()
        .filter(limit ->
            group(limit, candidate).filter(group -> countOthers(group, candidate) >= limit.atMost()).isPresent())
        .findFirst()
        .map(limit ->
            "%d of %s = %s in progress, silent or not verified, at most %d"
                .formatted(
                    group(limit, candidate).map(group -> countOthers(group, candidate)).orElse(0),
                    limit.label(),
                    candidate.groups().get(limit.label()),
                    limit.atMost()));
  }

  void add(Candidate candidate) {
    limits.forEach(limit ->
        group(limit, candidate)
            .ifPresent(group -> members.computeIfAbsent(group, _ -> new HashSet<>()).add(candidate.device())));
  }

  private int countOthers(Group group, Candidate candidate) {
    Set<String> all = members.getOrDefault(group, Set.of());
    return all.contains(candidate.device()) ? all.size() - 1 : all.size();
  }

  private static Optional<Group> group(GroupLimit limit, Candidate candidate) {
    return Optional.ofNullable(candidate.groups().get(limit.label())).map(value -> new Group(limit.label(), value));
  }
}
