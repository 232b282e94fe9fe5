package dev.uplift.store.rollout;

import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import java.time.Instant;

/// An upgrade of a device in a rollout that has ended and was not collected yet.
///
/// @param target the row, still in progress
/// @param end of the upgrade, or of that which takes it back
public record FinishedTarget(TargetRow target, UpgradeEnd end, Instant endedAt) {
  static FinishedTarget of(TargetRow target, UpgradeRow upgrade) {
    return new FinishedTarget(target, upgrade.end().orElseThrow(), upgrade.endedAt().orElseThrow());
  }
}
