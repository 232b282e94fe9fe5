package dev.uplift.store.release;

import dev.uplift.fleet.Release;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A row of `release`.
@MappedEntity("release")
record ReleaseEntity(
    @Id String tenant,
    @Id @MappedProperty("package") String packageName,
    @Id String version,
    String kind,
    long sequence,
    String manifest,
    String signature,
    @Nullable String digest,
    @Nullable Long sizeBytes,
    Instant createdAt,
    Instant recordedAt) {

  ReleaseRow toRow() {
    return new ReleaseRow(
        tenant,
        new Release(packageName, version),
        kind,
        sequence,
        manifest,
        signature,
        digest == null || sizeBytes == null
            ? Optional.empty()
            : Optional.of(new ReleaseRow.Artifact(digest, sizeBytes)),
        createdAt,
        recordedAt);
  }
}
