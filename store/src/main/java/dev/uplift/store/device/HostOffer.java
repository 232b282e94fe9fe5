package dev.uplift.store.device;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;

/// The updates that a host reports its repositories to offer for a package.
///
/// @param digest of what exactly is offered; empty if nothing is
@MappedEntity("host_offer")
public record HostOffer(@Id @MappedProperty("package") String packageName, String digest, int updates, int security) {}
