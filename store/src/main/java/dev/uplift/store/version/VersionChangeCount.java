package dev.uplift.store.version;

import io.micronaut.core.annotation.Introspected;
import org.jspecify.annotations.Nullable;

/// How many hosts went from one version of a package to another within a day.
///
/// @param dayNumber days since 1970-01-01, UTC
/// @param previous null: they had not reported the package
/// @param version null: they report it no more
@Introspected
record VersionChangeCount(long dayNumber, @Nullable String previous, @Nullable String version, long hosts) {}
