package dev.uplift.api.artifacts;

import io.micronaut.serde.annotation.Serdeable;

/// An artifact as clients see it.
@Serdeable
record ArtifactView(String sha256, long size) {}
