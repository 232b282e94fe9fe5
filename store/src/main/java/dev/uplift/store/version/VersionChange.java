package dev.uplift.store.version;

import dev.uplift.store.StoredText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Another version of a package on a host than before.
///
/// @param version null if the host no longer has the package
/// @param previous null if the host did not have the package
/// @param since to the millisecond
record VersionChange(
    String tenant,
    String host,
    String packageName,
    @Nullable String version,
    @Nullable String previous,
    Instant since) {
  /// Returns what a report changes, by package; last those that are gone.
  static List<VersionChange> listOf(ReportedVersions report) {
    Map<String, String> gone = new TreeMap<>(report.before());
    List<VersionChange> changes = new ArrayList<>();
    new TreeMap<>(report.versions())
        .forEach((reportedName, reportedVersion) -> {
          String packageName = StoredText.sanitize(reportedName);
          String version = StoredText.sanitize(reportedVersion);
          String previous = gone.remove(packageName);
          if (!version.equals(previous)) {
            changes.add(of(report, packageName, version, previous));
          }
        });
    gone.forEach((packageName, previous) -> changes.add(of(report, packageName, null, previous)));
    return changes;
  }

  private static VersionChange of(
      ReportedVersions report, String packageName, @Nullable String version, @Nullable String previous) {
    Instant since = report.reportedAt().truncatedTo(ChronoUnit.MILLIS);
    return new VersionChange(report.tenant(), report.host(), packageName, version, previous, since);
  }

  boolean isInstalled() {
    return previous == null;
  }

  boolean isReplaced() {
    return previous != null && version != null;
  }

  boolean isGone() {
    return version == null;
  }
}
