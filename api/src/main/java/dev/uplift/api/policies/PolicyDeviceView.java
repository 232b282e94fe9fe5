package dev.uplift.api.policies;

import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;

/// Where a device is with a policy.
///
/// @param reason for programs
/// @param message for people
/// @param until when it changes by itself; absent: an event changes it
@Serdeable
record PolicyDeviceView(
    String device,
    @Schema(implementation = PolicyDeviceState.class) String state,
    String reason,
    String message,
    Optional<Instant> until) {
  static PolicyDeviceView of(PolicyDeviceStatus status) {
    return new PolicyDeviceView(
        status.device(), status.state().toString(), status.reason(), status.message(), status.until());
  }
}
