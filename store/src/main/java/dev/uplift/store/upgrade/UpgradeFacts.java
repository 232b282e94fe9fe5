package dev.uplift.store.upgrade;

import io.micronaut.core.annotation.Introspected;

/// Which tables have rows that count at the start of an upgrade. What those rows say decides: a hold or a pin may be
/// over, and a release may have succeeded since it failed.
///
/// @param isHeld whether the device has a hold, or does not exist
/// @param isStopped whether the tenant is stopped
/// @param isPinned whether an operator, the owner of a host or a barrier keeps the package on the device
/// @param hasFailed whether the release has failed on the device
/// @param isOffered whether the repositories of a host offer updates of the package
@Introspected
public record UpgradeFacts(boolean isHeld, boolean isStopped, boolean isPinned, boolean hasFailed, boolean isOffered) {}
