package dev.uplift.protocol;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// What `release.json` says: what is to be installed, how, and over what.
///
/// @param sequence rises from release to release of a package: decides what is newer
/// @param artifact absent for kinds that fetch nothing by themselves
/// @param arguments for the driver that `kind` names
/// @param installsOver versions that this one may be installed over; empty for any
public record ReleaseManifest(
    String packageName,
    String kind,
    String version,
    long sequence,
    Optional<Artifact> artifact,
    SortedMap<String, String> arguments,
    List<String> installsOver,
    Instant createdAt) {

  /// The bytes that are fetched.
  ///
  /// @param sha256 in lower case hex digits
  public record Artifact(long size, String sha256) {}
}
