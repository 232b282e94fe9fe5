package dev.uplift.fleet.rollout;

import java.time.Instant;
import java.util.Optional;

/// Why devices are not started now that are to come.
///
/// @param devices so many
/// @param until when that changes for the first of them by itself; empty: not by itself
/// @param example one of them, and what is in its way
public record Hindrance(Waiting what, int devices, Optional<Instant> until, String example) {
  Hindrance and(Hindrance other) {
    Optional<Instant> first =
        until.map(mine -> other.until.filter(mine::isAfter).orElse(mine)).or(other::until);
    return new Hindrance(what, devices + other.devices, first, example);
  }

  String inWords() {
    return "%s: %s (%s)".formatted(what, Words.devices(devices), example);
  }
}
