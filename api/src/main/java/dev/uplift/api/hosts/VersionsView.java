package dev.uplift.api.hosts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.VersionCounts;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Which versions of a package run.
///
/// @param versions most hosts first
/// @param unknown hosts that never named the package
/// @param asOf when it was counted
/// @param oldest the oldest word that counts; absent if none does
@Serdeable
record VersionsView(
    @JsonProperty("package") String packageName,
    List<CountView> versions,
    CountView unknown,
    Instant asOf,
    Optional<Instant> oldest) {

  /// How many run one version.
  @Serdeable
  record CountView(String version, long hosts, long devices) {
    static CountView of(VersionCounts.Count count) {
      return new CountView(count.version(), count.hosts(), count.devices());
    }
  }

  static VersionsView of(VersionCounts counts) {
    return new VersionsView(
        counts.packageName(),
        counts.known().stream().map(CountView::of).toList(),
        CountView.of(counts.unknown()),
        counts.asOf(),
        counts.oldest());
  }
}
