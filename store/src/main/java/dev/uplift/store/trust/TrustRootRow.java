package dev.uplift.store.trust;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/// A root of a tenant, immutable.
///
/// @param document of `root.json`, exactly as it is signed
/// @param signature the text of `root.sig`
@MappedEntity("trust_root")
public record TrustRootRow(
    @Id String tenant, @Id long version, String document, String signature, Instant recordedAt) {}
