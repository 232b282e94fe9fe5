package dev.uplift.api.releases;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.release.ReleaseRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// A release as clients see it.
///
/// @param kind selects the driver
/// @param sequence each version of a package has one of its own
/// @param artifact absent for kinds that fetch by themselves
/// @param release the exact text that is signed; absent in lists
/// @param signature of that text; absent in lists
@Serdeable
record ReleaseView(
    @JsonProperty("package") String packageName,
    String version,
    String kind,
    long sequence,
    Optional<ReleaseArtifactView> artifact,
    Instant createdAt,
    Instant recordedAt,
    Optional<String> release,
    Optional<String> signature) {

  /// The file that hosts download.
  ///
  /// @param sha256 in hexadecimal digits, lower case
  /// @param size in bytes
  @Serdeable
  record ReleaseArtifactView(String sha256, long size) {}

  static ReleaseView summary(ReleaseRow row) {
    return of(row, Optional.empty(), Optional.empty());
  }

  static ReleaseView full(ReleaseRow row) {
    return of(row, Optional.of(row.manifest()), Optional.of(row.signature()));
  }

  private static ReleaseView of(ReleaseRow row, Optional<String> text, Optional<String> signature) {
    return new ReleaseView(
        row.release().packageName(),
        row.release().version(),
        row.kind(),
        row.sequence(),
        row.artifact().map(file -> new ReleaseArtifactView(file.digest(), file.sizeBytes())),
        row.createdAt(),
        row.recordedAt(),
        text,
        signature);
  }
}
