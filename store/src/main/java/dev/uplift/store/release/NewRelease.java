package dev.uplift.store.release;

import dev.uplift.fleet.Release;
import java.time.Instant;
import java.util.Optional;

/// A release to be recorded; the words are those of [ReleaseRow].
public record NewRelease(
    String tenant,
    Release release,
    String kind,
    long sequence,
    String manifest,
    String signature,
    Optional<ReleaseRow.Artifact> artifact,
    Instant createdAt) {}
