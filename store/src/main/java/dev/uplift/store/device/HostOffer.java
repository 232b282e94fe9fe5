package dev.uplift.store.device;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;

/// What a host says that its repositories offer for a package.
///
/// @param digest of what exactly is offered; empty if nothing is
@MappedEntity("host_offer")
public record HostOffer(@Id @MappedProperty("package") String packageName, String digest, int updates, int security) {}
