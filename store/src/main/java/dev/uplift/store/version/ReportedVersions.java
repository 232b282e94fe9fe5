package dev.uplift.store.version;

import java.time.Instant;
import java.util.Map;

/// What a host has said that it runs.
///
/// @param before what it ran, by package, as recorded
/// @param versions by package
/// @param reportedAt when the host said so
public record ReportedVersions(
    String tenant, String host, Map<String, String> before, Map<String, String> versions, Instant reportedAt) {}
