package dev.uplift.store.upgrade;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import java.time.Instant;
import java.util.Optional;

/// A device upgrade and how it ended.
///
/// @param plan JSON, as it was given at the beginning
/// @param runId of its workflow in Temporal, the one that ended it if there were several; empty in
///   rows of older servers
/// @param end empty while it runs
/// @param revertOf the upgrade that it takes back; then `release` is what that one brought
/// @param endedAt there as soon as `end` is
public record UpgradeRow(
    String id,
    DeviceId device,
    Release release,
    String startedBy,
    Instant startedAt,
    String plan,
    Optional<String> runId,
    Optional<String> revertOf,
    Optional<UpgradeEnd> end,
    Optional<Instant> endedAt) {

  /// Which one it is, for people.
  public String describe() {
    return revertOf
        .map(done -> "%s takes %s back from %s".formatted(id, done, device))
        .orElseGet(() -> "%s is the upgrade of %s to %s".formatted(id, device, release));
  }

  public boolean isRunning() {
    return end.isEmpty();
  }
}
