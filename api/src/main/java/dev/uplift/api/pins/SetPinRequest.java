package dev.uplift.api.pins;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.NameRule;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A pin of a package on a device: either a version, or a hold.
///
/// @param version the only one that may be installed
/// @param hold whether none may be installed
/// @param reason shown to everybody who asks why nothing is upgraded
/// @param until absent: until a person removes it
/// @param json as it was sent, to be recorded in the audit
@Introspected
record SetPinRequest(
    @Nullable @NameOf(NameRule.VERSION) String version,
    @Bindable(defaultValue = "false") boolean hold,
    @NotBlank @Size(max = 500) String reason,
    @Nullable Instant until,
    @JsonIgnore ObjectNode json)
    implements RequestBody {
  @Override
  public void check(BodyErrors errors, Instant now) {
    if (hold == (version != null)) {
      errors.add("", "expected either version or hold");
    }
    if (until != null && !until.isAfter(now)) {
      errors.add("/until", "expected a time in the future; it is past");
    }
  }
}
