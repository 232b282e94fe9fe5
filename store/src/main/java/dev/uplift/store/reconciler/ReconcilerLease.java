package dev.uplift.store.reconciler;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/// A row of `reconciler_lease`.
///
/// @param holder the server that reconciles
/// @param expiresAt when another server may
/// @param position where the last run ended; empty: at the end
@MappedEntity("reconciler_lease")
record ReconcilerLease(@Id String name, String holder, Instant expiresAt, String position) {}
