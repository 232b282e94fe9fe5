package dev.uplift.api.devices;

import io.micronaut.serde.annotation.Serdeable;

/// The failures that count no more.
///
/// @param cleared number of upgrades that had failed there and had counted until now
@Serdeable
record ClearedFailuresView(int cleared) {}
