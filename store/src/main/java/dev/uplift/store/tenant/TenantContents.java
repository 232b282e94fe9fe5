package dev.uplift.store.tenant;

import io.micronaut.core.annotation.Introspected;

/// How much belongs to a tenant.
///
/// @param credentials keys with which hosts may log in
@Introspected
public record TenantContents(long devices, long hosts, long credentials, long releases, long upgrades, long rollouts) {}
