package dev.uplift.activities.rollout;

import dev.uplift.fleet.rollout.Candidate;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.GroupLimit;
import dev.uplift.fleet.rollout.GroupLoads;
import dev.uplift.fleet.rollout.GroupLoads.Group;
import dev.uplift.fleet.rollout.NextStarts;
import dev.uplift.fleet.rollout.WindowRule;
import dev.uplift.store.RolloutRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What groups hold of the limits per value of a label. Only of groups of which a member might
/// start is it asked who is silent. For one pass, under the lock of the rollout.
final class Groups {
  private final RolloutRow row;
  private final List<GroupLimit> limits;
  private final Silence silence;
  private final Instant now;
  private final Map<Group, Set<String>> members = new HashMap<>();
  private final Set<Group> asked = new HashSet<>();

  private Groups(RolloutRow row, List<GroupLimit> limits, Silence silence, Instant now) {
    this.row = row;
    this.limits = limits;
    this.silence = silence;
    this.now = now;
  }

  /// As they are now. Until the end of the transaction no other rollout of the tenant asks.
  ///
  /// @param soak during which an upgraded device of the current wave is not verified
  static Groups of(
      RolloutTables tables,
      RolloutRow row,
      List<GroupLimit> limits,
      Silence silence,
      Duration soak,
      Instant now) {
    var groups = new Groups(row, limits, silence, now);
    if (!limits.isEmpty()) {
      tables.rollouts().lockGroups(row.id().tenant());
    }
    for (GroupLimit limit : limits) {
      tables
          .counts()
          .loads(row.id(), limit.label(), row.currentWave(), now.minus(soak))
          .forEach((device, value) -> groups.put(new Group(limit.label(), value), device));
    }
    return groups;
  }

  private boolean put(Group group, String device) {
    return members.computeIfAbsent(group, _ -> new HashSet<>()).add(device);
  }

  /// Who is next of these.
  NextStarts choose(List<Candidate> candidates, Start room, WindowRule rule) {
    NextStarts next;
    do {
      next = NextStarts.choose(candidates, room, new GroupLoads(limits, members), rule, now);
    } while (isAnybodySilent(candidates, next));
    return next;
  }

  /// Whether somebody is in the groups of those chosen who was not known to be.
  private boolean isAnybodySilent(List<Candidate> candidates, NextStarts chosen) {
    Set<String> devices = new HashSet<>(chosen.start());
    devices.addAll(chosen.goOn());
    boolean more = false;
    for (Group group : groups(candidates, devices)) {
      if (asked.add(group)) {
        for (String silent : silence.in(row.id().tenant(), group, now)) {
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
