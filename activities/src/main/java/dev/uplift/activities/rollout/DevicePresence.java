package dev.uplift.activities.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.rollout.start.CandidatePresence;
import dev.uplift.fleet.rollout.start.GroupLoads.Group;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.rollout.RolloutRepositories;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The presence of devices, which is that of their hosts. For one activity execution.
final class DevicePresence {
  /// A host counts as silent only after minutes, so the silent members of a group are the same for a few seconds.
  private static final Duration CACHE_TIME = Duration.ofSeconds(5);

  private final RolloutRepositories repositories;
  private final HostPresence presence;
  private final Map<Group, CachedGroup> cache = new HashMap<>();

  private record CachedGroup(Set<String> silent, Instant until) {}

  DevicePresence(RolloutRepositories repositories, HostPresence presence) {
    this.repositories = repositories;
    this.presence = presence;
  }

  /// The presence of a device with these hosts.
  CandidatePresence of(String tenant, List<HostId> hosts) {
    CandidatePresence found = new CandidatePresence.Heard();
    for (HostId host : hosts) {
      switch (presence.status(tenant, host)) {
        case PresenceStatus.Silent(Instant since) -> {
          return new CandidatePresence.Offline(host.value(), since.truncatedTo(ChronoUnit.SECONDS));
        }
        case PresenceStatus.Unknown(_, String reason) -> found = new CandidatePresence.Unknown(host.value(), reason);
        case PresenceStatus.Alive _ -> {}
      }
    }
    return found;
  }

  /// Devices with a silent host. None is silent while this server could not have heard it.
  Set<String> silentInGroup(String tenant, Group group, Instant now) {
    cache.values().removeIf(cachedGroup -> !now.isBefore(cachedGroup.until()));
    return cache.computeIfAbsent(group, _ -> new CachedGroup(findSilent(tenant, group), now.plus(CACHE_TIME))).silent();
  }

  private Set<String> findSilent(String tenant, Group group) {
    Set<String> silent = new HashSet<>();
    repositories
        .hosts()
        .ofLabelledDevices(tenant, group.label(), group.value())
        .forEach((device, hosts) -> {
          if (hosts.stream().anyMatch(host -> presence.status(tenant, host) instanceof PresenceStatus.Silent)) {
            silent.add(device);
          }
        });
    return silent;
  }
}
