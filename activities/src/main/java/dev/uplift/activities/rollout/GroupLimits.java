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
  private final RolloutRepositories repositories;
  private final RolloutRow row;
  private final List<GroupLimit> limits;
  private final DevicePresence devicePresence;
  private final Duration soak;
  private final Instant now;
  private final Map<Group, Set<String>> members = new HashMap<>();
  private final Set<Group> checked = new HashSet<>();

  private boolean loaded;

  /// @param soak during which an upgraded device of the current wave is not verified
  GroupLimits(
      RolloutRepositories repositories,
      RolloutRow row,
      List<GroupLimit> limits,
      DevicePresence devicePresence,
      Duration soak,
      Instant now) {
    this.repositories = repositories;
    this.row = row;
    this.limits = limits;
    this.devicePresence = devicePresence;
    this.soak = soak;
    this.now = now;
  }

  /// Reads how full the groups are, and keeps other rollouts of the tenant from doing so until the end of the
  /// transaction.
  private void load() {
    if (loaded) {
      return;
    }
    loaded = true;
    repositories.statistics().lockGroups(row.id().tenant());
    for (GroupLimit limit : limits) {
      repositories
          .statistics()
          .groupLoads(row.id(), limit.label(), row.currentWave(), now.minus(soak))
          .forEach((device, value) -> put(new Group(limit.label(), value), device));
    }
  }

  private boolean put(Group group, String device) {
    return members.computeIfAbsent(group, _ -> new HashSet<>()).add(device);
  }

  /// The candidates that are next. Groups are locked only if one of these would take a place in them.
  StartSelection select(List<Candidate> candidates, Start room, WindowRule rule) {
    StartSelection next = selectWithoutGroups(candidates, room, rule, now);
    if (limits.isEmpty() || (next.start().isEmpty() && next.proceed().isEmpty())) {
      return next;
    }
    load();
    do {
      next = StartSelection.select(candidates, room, new GroupLoads(limits, members), rule, now);
    } while (addSilentMembers(candidates, next));
    return next;
  }

  /// The candidates that are next if no group is full.
  static StartSelection selectWithoutGroups(List<Candidate> candidates, Start room, WindowRule rule, Instant now) {
    return StartSelection.select(candidates, room, new GroupLoads(List.of(), Map.of()), rule, now);
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
