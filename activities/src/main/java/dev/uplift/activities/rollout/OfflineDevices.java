package dev.uplift.activities.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.start.BlockedDevices;
import dev.uplift.fleet.rollout.start.CandidatePresence;
import dev.uplift.fleet.rollout.start.StartSelection;
import dev.uplift.services.rollout.RolloutRepositories;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The devices of a rollout that are marked as offline. Their hosts are kept in memory and compared with presence, so
/// the tables are asked for none of them until it is heard. For one activity execution.
final class OfflineDevices {
  /// The hosts of a device may change, and another server may have marked one.
  private static final Duration RELOAD_INTERVAL = Duration.ofMinutes(5);

  private static final int PAGE = 500;

  private final RolloutRepositories repositories;
  private final DevicePresence devicePresence;
  private final RolloutId id;
  private final Map<String, List<HostId>> hosts = new TreeMap<>();
  private Instant nextReload = Instant.MIN;

  OfflineDevices(RolloutRepositories repositories, DevicePresence devicePresence, RolloutId id) {
    this.repositories = repositories;
    this.devicePresence = devicePresence;
    this.id = id;
  }

  /// Makes those candidates again that are heard, and those that are no devices any more. Needs no lock. Returns
  /// whether there were any.
  boolean markHeard(Instant now) {
    if (!now.isBefore(nextReload)) {
      nextReload = now.plus(RELOAD_INTERVAL);
      reload();
    }
    List<String> heard = new ArrayList<>();
    hosts.forEach((device, each) -> {
      if (devicePresence.of(id.tenant(), each) instanceof CandidatePresence.Heard) {
        heard.add(device);
      }
    });
    for (int from = 0; from < heard.size(); from += PAGE) {
      repositories.targets().markHeard(id, heard.subList(from, Math.min(from + PAGE, heard.size())));
    }
    heard.forEach(hosts::remove);
    return !heard.isEmpty();
  }

  private void reload() {
    hosts.clear();
    String after = "";
    Map<String, List<HostId>> page;
    do {
      page = repositories.hosts().ofOfflineDevices(id, after, PAGE);
      hosts.putAll(page);
      after = page.keySet().stream().reduce(after, (_, last) -> last);
    } while (page.size() == PAGE);
  }

  /// Those that were marked before, for people.
  ///
  /// @param found what a search has found, which names those that it has marked itself
  /// @param all so many are marked
  List<BlockedDevices> describeOthers(StartSelection found, int all) {
    int count =
        all
            - found.blocked().stream()
                .filter(blocked -> blocked.reason() == WaitReason.OFFLINE)
                .mapToInt(BlockedDevices::count)
                .sum();
    return hosts.entrySet().stream()
        .limit(count > 0 ? 1 : 0)
        .map(one ->
            new BlockedDevices(
                WaitReason.OFFLINE,
                count,
                Optional.empty(),
                devicePresence.of(id.tenant(), one.getValue()) instanceof CandidatePresence.Offline offline
                    ? offline.describe(one.getKey())
                    : one.getKey()))
        .toList();
  }

  /// Marks devices as offline, and watches their hosts. To be called under the lock of the rollout.
  void markOffline(Map<String, List<HostId>> found) {
    repositories.targets().markOffline(id, List.copyOf(found.keySet()));
    hosts.putAll(found);
  }
}
