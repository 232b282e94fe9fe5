package dev.uplift.store.upgrade;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A row of `upgrade`.
@MappedEntity("upgrade")
record UpgradeEntity(
    String tenant,
    @Id String id,
    String device,
    @MappedProperty("package") String packageName,
    String version,
    String startedBy,
    Instant startedAt,
    String plan,
    String runId,
    @Nullable String revertOf,
    @Nullable String outcome,
    @Nullable String reasonKind,
    @Nullable String reasonCode,
    @Nullable String reasonClass,
    @Nullable String reasonText,
    @Nullable String hostReports,
    @Nullable Instant endedAt) {

  UpgradeRow toRow() {
    return new UpgradeRow(
        id,
        new DeviceId(tenant, device),
        new Release(packageName, version),
        startedBy,
        startedAt,
        plan,
        Optional.of(runId),
        Optional.ofNullable(revertOf),
        Optional.ofNullable(outcome)
            .map(word ->
                UpgradeEnd.ofColumns(
                    word, reasonKind, reasonCode, reasonClass, reasonText, hostReports)),
        Optional.ofNullable(endedAt));
  }
}
