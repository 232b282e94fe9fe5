package dev.uplift.api.pins;

import io.micronaut.serde.annotation.Serdeable;

/// How many devices a request has changed.
///
/// @param devices of the selected ones; those that were so already do not count
@Serdeable
record ChangedDevicesView(int devices) {}
