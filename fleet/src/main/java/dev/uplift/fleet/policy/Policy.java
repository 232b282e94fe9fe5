package dev.uplift.fleet.policy;

import java.time.Instant;

/// The rank of a policy among those that apply to a device.
///
/// @param fallback whether it applies only to devices that no other policy for its package applies to
/// @param priority the higher one decides
/// @param enabledAt when it was enabled last; of equal priorities the later one decides
public record Policy(PolicyId id, boolean fallback, int priority, Instant enabledAt) {}
