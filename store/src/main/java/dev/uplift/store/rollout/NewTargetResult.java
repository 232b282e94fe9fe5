package dev.uplift.store.rollout;

import dev.uplift.fleet.rollout.TargetResult;
import java.time.Instant;
import java.util.Optional;

/// The result of a device, to be written.
///
/// @param changed whether a host was touched
/// @param error kept if it is the first one of the device
public record NewTargetResult(
    String device, TargetResult result, boolean changed, Optional<TargetError> error, Instant endedAt) {}
