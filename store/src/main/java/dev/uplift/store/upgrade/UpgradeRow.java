package dev.uplift.store.upgrade;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.StoredText;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import dev.uplift.store.upgrade.UpgradeEnd.EndReason;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A device upgrade and how it ended.
///
/// @param plan JSON, as it was given at the beginning
/// @param runId of its workflow in Temporal, the one that ended it if there were several; empty while it is not known
/// @param revertOf the upgrade that it reverts; then [#release] is what that one brought
/// @param endedAt there as soon as [#end] is
/// @param failureClearedAt when a person decided that its failure does not count against the release
@MappedEntity("upgrade")
public record UpgradeRow(
    String tenant,
    @Id String id,
    @MappedProperty("device") String deviceName,
    @MappedProperty("package") String packageName,
    String version,
    String startedBy,
    Instant startedAt,
    String plan,
    String runId,
    @MappedProperty(converter = TextColumn.class) Optional<String> revertOf,
    @MappedProperty(converter = TextColumn.class) Optional<Outcome> outcome,
    @MappedProperty(converter = TextColumn.class) Optional<String> reasonKind,
    @Nullable String reasonCode,
    @Nullable String reasonClass,
    @Nullable String reasonText,
    @Nullable String hostReports,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> endedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> failureClearedAt) {
  /// Returns the row of an upgrade that begins, as it is read once it is recorded.
  ///
  /// @param now to the millisecond
  public static UpgradeRow begun(NewUpgrade upgrade, Instant now) {
    return new UpgradeRow(
        upgrade.device().tenant(),
        upgrade.id(),
        upgrade.device().name(),
        upgrade.release().packageName(),
        upgrade.release().version(),
        StoredText.sanitize(upgrade.startedBy()),
        now,
        StoredText.sanitize(upgrade.plan()),
        upgrade.runId(),
        upgrade.revertOf(),
        Optional.empty(),
        Optional.empty(),
        null,
        null,
        null,
        null,
        Optional.empty(),
        Optional.empty());
  }

  public DeviceId device() {
    return new DeviceId(tenant, deviceName);
  }

  public Release release() {
    return new Release(packageName, version);
  }

  /// Empty while it runs.
  public Optional<UpgradeEnd> end() {
    return outcome.map(word -> new UpgradeEnd(word, reasonKind.map(this::reason), requireNonNull(hostReports)));
  }

  private EndReason reason(String kind) {
    return new EndReason(kind, requireNonNull(reasonCode), requireNonNull(reasonClass), requireNonNull(reasonText));
  }

  /// Describes it, for people.
  public String describe() {
    return revertOf
        .map(done -> "%s reverts %s on %s".formatted(id, done, device()))
        .orElseGet(() -> "%s is the upgrade of %s to %s".formatted(id, device(), release()));
  }

  public boolean isRunning() {
    return outcome.isEmpty();
  }
}
