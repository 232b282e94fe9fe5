package dev.uplift.activities.rollout;

import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.rollout.start.Candidate;
import dev.uplift.fleet.rollout.start.GroupLoads;
import dev.uplift.fleet.rollout.start.GroupLoads.Group;
import dev.uplift.fleet.rollout.start.StartSelection;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.rollout.RolloutRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// How full the groups of the limits per label are. Silent members are looked up only for groups in which a device
/// might start. For one pass, under the lock of the rollout.
final class GroupLimits {
  private final RolloutRow row;
  private final List<GroupLimit> limits;
  private final DevicePresence devicePresence;
  private final Instant now;
  private final Map<Group, Set<String>> members = new HashMap<>();
  private final Set<Group> checked = new HashSet<>();

  private GroupLimits(RolloutRow row, List<GroupLimit> limits, DevicePresence devicePresence, Instant now) {
    this.row = row;
    this.limits = limits;
    this.devicePresence = devicePresence;
    this.now = now;
  }

  /// Reads them, and keeps other rollouts of the tenant from reading theirs until the end of the transaction.
  ///
  /// @param soak during which an upgraded device of the current wave is not verified
  static GroupLimits of(
      RolloutRepositories repositories,
      RolloutRow row,
      List<GroupLimit> limits,
      DevicePresence devicePresence,
      Duration soak,
      Instant now) {
    var groupLimits = new GroupLimits(row, limits, devicePresence, now);
    if (!limits.isEmpty()) {
      repositories.rollouts().lockGroups(row.id().tenant());
    }
    for (GroupLimit limit : limits) {
      repositories
          .statistics()
          .groupLoads(row.id(), limit.label(), row.currentWave(), now.minus(soak))
          .forEach((device, value) -> groupLimits.put(new Group(limit.label(), value), device));
    }
    return groupLimits;
  }

  private boolean put(Group group, String device) {
    return members.computeIfAbsent(group, _ -> new HashSet<>()).add(device);
  }

  /// The candidates that are next.
  StartSelection select(List<Candidate> candidates, Start room, WindowRule rule) {
    StartSelection next;
    do {
      next = StartSelection.select(candidates, room, new GroupLoads(limits, members), rule, now);
    } while (addSilentMembers(candidates, next));
    return next;
  }

  /// Returns whether the groups of the chosen devices have silent members that were not counted.
  private boolean addSilentMembers(List<Candidate> candidates, StartSelection chosen) {
    Set<String> devices = new HashSet<>(chosen.start());
    devices.addAll(chosen.proceed());
    boolean more = false;
    for (Group group : groups(candidates, devices)) {
      if (checked.add(group)) {
        for (String silent : devicePresence.silentInGroup(row.id().tenant(), group, now)) {
          more |= put(group, silent);
        }
      }
    }
    return more;
  }

  private List<Group> groups(List<Candidate> candidates, Set<String> devices) {
    return candidates.stream()
        .filter(candidate -> devices.contains(candidate.device()))
        .flatMap(candidate -> limits.stream().flatMap(limit -> group(limit, candidate)))
        .distinct()
        .toList();
  }

  private static Stream<Group> group(GroupLimit limit, Candidate candidate) {
    return Optional.ofNullable(candidate.groups().get(limit.label()))
        .map(value -> new Group(limit.label(), value))
        .stream();
  }
}
