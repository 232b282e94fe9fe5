package dev.uplift.api.artifacts;

import io.micronaut.serde.annotation.Serdeable;

/// An artifact as clients see it.
///
/// @param sha256 in hexadecimal digits, lower case
/// @param size in bytes
@Serdeable
record ArtifactView(String sha256, long size) {}
