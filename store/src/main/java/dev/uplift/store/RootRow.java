package dev.uplift.store;

import java.time.Instant;

/// A root of a tenant, immutable.
///
/// @param text of `root.json`, exactly as it is signed
/// @param signature the text of `root.sig`
public record RootRow(
    String tenant, long version, String text, String signature, Instant recordedAt) {}
