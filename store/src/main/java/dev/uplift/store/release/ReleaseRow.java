package dev.uplift.store.release;

import dev.uplift.fleet.Release;
import java.time.Instant;
import java.util.Optional;

/// A release, immutable.
///
/// @param manifest of `release.json`, exactly as it is signed
/// @param signature the text of `release.sig`
/// @param artifact empty for kinds without one
/// @param createdAt as the release says
/// @param recordedAt when it came in
public record ReleaseRow(
    String tenant,
    Release release,
    String kind,
    long sequence,
    String manifest,
    String signature,
    Optional<Artifact> artifact,
    Instant createdAt,
    Instant recordedAt) {

  /// What is fetched.
  ///
  /// @param digest SHA-256 in hex
  public record Artifact(String digest, long sizeBytes) {}
}
