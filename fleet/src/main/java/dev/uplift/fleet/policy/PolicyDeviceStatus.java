package dev.uplift.fleet.policy;

import java.time.Instant;
import java.util.Optional;

/// Where a device is with a policy, and why.
///
/// @param reason fixed word
/// @param message for people
/// @param decides whether the policy decides for the device; false: another one does
/// @param until when it changes by itself; empty if an event changes it
/// @param isDue whether the policy has to begin with it now
public record PolicyDeviceStatus(
    String device,
    PolicyDeviceState state,
    String reason,
    String message,
    boolean decides,
    Optional<Instant> until,
    boolean isDue) {}
