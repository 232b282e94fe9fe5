package dev.uplift.fleet.rollout.start;

import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.WaitReason;
import java.time.Instant;
import java.util.Optional;

/// Why devices are not started now that are to come.
///
/// @param count so many
/// @param until when that changes for the first of them by itself; empty: not by itself
/// @param example one of them, and what is in its way
public record BlockedDevices(WaitReason reason, int count, Optional<Instant> until, String example) {
  BlockedDevices merge(BlockedDevices other) {
    Optional<Instant> first = until.map(mine -> other.until.filter(mine::isAfter).orElse(mine)).or(other::until);
    return new BlockedDevices(reason, count + other.count, first, example);
  }

  String describe() {
    return "%s: %s (%s)".formatted(reason, Phrases.devices(count), example);
  }
}
