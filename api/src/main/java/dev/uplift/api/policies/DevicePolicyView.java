package dev.uplift.api.policies;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.store.policy.PolicyRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;

/// A policy that applies to a device.
///
/// @param decides whether it decides about the package on this device; false: another one does
/// @param reason for programs
/// @param message for people
/// @param until when it changes by itself; absent: an event changes it
@Serdeable
record DevicePolicyView(
    String policy,
    @JsonProperty("package") String packageName,
    int priority,
    boolean decides,
    @Schema(implementation = PolicyDeviceState.class) String state,
    String reason,
    String message,
    Optional<Instant> until) {
  static DevicePolicyView of(PolicyRow row, PolicyDeviceStatus status) {
    return new DevicePolicyView(
        row.name(),
        row.packageName(),
        row.priority(),
        status.decides(),
        status.state().toString(),
        status.reason(),
        status.message(),
        status.until());
  }
}
