package dev.uplift.activities.rollout;

import dev.uplift.fleet.rollout.start.GroupLoads.Group;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.rollout.RolloutRepositories;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The silent members of groups. A host counts as silent only after minutes, so an answer holds for a few seconds. For
/// one activity execution.
final class SilentDevices {
  private static final Duration CACHE_TIME = Duration.ofSeconds(5);

  private final RolloutRepositories repositories;
  private final HostPresence presence;
  private final Map<Group, CachedGroup> cache = new HashMap<>();

  private record CachedGroup(Set<String> silent, Instant until) {}

  SilentDevices(RolloutRepositories repositories, HostPresence presence) {
    this.repositories = repositories;
    this.presence = presence;
  }

  /// Devices with a silent host. None is silent while this server could not have heard it.
  Set<String> inGroup(String tenant, Group group, Instant now) {
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
