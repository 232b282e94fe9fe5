package dev.uplift.store.rollout;

import dev.uplift.store.upgrade.UpgradeEnd;
import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The end of the upgrade of a device.
@Introspected
record FinishedUpgradeEntity(
    String device,
    String outcome,
    @Nullable String reasonKind,
    @Nullable String reasonCode,
    @Nullable String reasonClass,
    @Nullable String reasonText,
    String hostReports,
    Instant endedAt) {

  FinishedTarget toFinished(TargetEntity target) {
    return new FinishedTarget(
        target.toRow(),
        UpgradeEnd.ofColumns(outcome, reasonKind, reasonCode, reasonClass, reasonText, hostReports),
        endedAt);
  }
}
