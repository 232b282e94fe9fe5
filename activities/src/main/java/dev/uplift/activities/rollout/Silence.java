package dev.uplift.activities.rollout;

import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.presence.Seen;
import dev.uplift.fleet.rollout.GroupLoads.Group;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Which members of a group are silent. Silence takes minutes, so what was found a moment ago is
/// still so. For one tick.
final class Silence {
  private static final Duration MOMENT = Duration.ofSeconds(5);

  private final RolloutTables tables;
  private final Presence presence;
  private final Map<Group, Found> known = new HashMap<>();

  private record Found(Set<String> silent, Instant until) {}

  Silence(RolloutTables tables, Presence presence) {
    this.tables = tables;
    this.presence = presence;
  }

  /// Devices of which a host is silent. None is while we ourselves could not have heard them.
  Set<String> in(String tenant, Group group, Instant now) {
    known.values().removeIf(found -> !now.isBefore(found.until()));
    return known
        .computeIfAbsent(group, _ -> new Found(silent(tenant, group), now.plus(MOMENT)))
        .silent();
  }

  private Set<String> silent(String tenant, Group group) {
    Set<String> silent = new HashSet<>();
    tables
        .hosts()
        .labelled(tenant, group.label(), group.value())
        .forEach((device, hosts) -> {
          if (hosts.stream().anyMatch(host -> presence.of(tenant, host) instanceof Seen.Silent)) {
            silent.add(device);
          }
        });
    return silent;
  }
}
