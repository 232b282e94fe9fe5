package dev.uplift.store;

import dev.uplift.fleet.rollout.Verdict;
import java.time.Instant;
import java.util.Optional;

/// What came of a device, to be written.
///
/// @param touched whether a host was touched
/// @param error kept if it is the first one of the device
public record TargetVerdict(
    String device,
    Verdict verdict,
    boolean touched,
    Optional<TargetError> error,
    Instant endedAt) {}
