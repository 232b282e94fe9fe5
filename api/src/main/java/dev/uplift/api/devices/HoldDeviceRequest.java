package dev.uplift.api.devices;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import io.micronaut.core.annotation.Introspected;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A hold of a device.
///
/// @param reason shown to everybody who asks why nothing is upgraded
/// @param until absent: until a person ends it
/// @param json as it was sent, to be recorded in the audit
@Introspected
record HoldDeviceRequest(@NotBlank @Size(max = 500) String reason, @Nullable Instant until, @JsonIgnore ObjectNode json)
    implements RequestBody {
  @Override
  public void check(BodyErrors errors, Instant now) {
    if (until != null && !until.isAfter(now)) {
      errors.add("/until", "expected a time in the future; it is past");
    }
  }
}
