package dev.uplift.store.release;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.Release;
import dev.uplift.store.TextColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A release, immutable.
///
/// @param manifest of `release.json`, exactly as it is signed
/// @param signature the text of `release.sig`
/// @param createdAt as the release says
/// @param recordedAt when it was recorded
@MappedEntity("release")
public record ReleaseRow(
    @Id String tenant,
    @Id @MappedProperty("package") String packageName,
    @Id String version,
    String kind,
    long sequence,
    String manifest,
    String signature,
    @MappedProperty(converter = TextColumn.class) Optional<String> digest,
    @Nullable Long sizeBytes,
    Instant createdAt,
    Instant recordedAt) {
  /// The file that hosts fetch.
  ///
  /// @param digest SHA-256 in hex
  public record Artifact(String digest, long sizeBytes) {}

  public Release release() {
    return new Release(packageName, version);
  }

  /// Empty for kinds without one.
  public Optional<Artifact> artifact() {
    return digest.map(hex -> new Artifact(hex, requireNonNull(sizeBytes)));
  }
}
