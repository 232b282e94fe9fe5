package dev.uplift.store.trust;

import java.time.Instant;

/// A root of a tenant, immutable.
///
/// @param document of `root.json`, exactly as it is signed
/// @param signature the text of `root.sig`
public record TrustRootRow(
    String tenant, long version, String document, String signature, Instant recordedAt) {}
