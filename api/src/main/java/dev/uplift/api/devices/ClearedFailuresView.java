package dev.uplift.api.devices;

import io.micronaut.core.annotation.Introspected;

/// The failures that count no more.
///
/// @param cleared number of upgrades that had failed there and had counted until now
@Introspected
record ClearedFailuresView(int cleared) {}
