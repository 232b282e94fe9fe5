package dev.uplift.store.version;

import io.micronaut.core.annotation.Introspected;

/// How many hosts run a version now.
@Introspected
record CurrentVersionCount(String version, long hosts) {}
