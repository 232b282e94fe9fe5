package dev.uplift.api.pins;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.services.selection.Selection;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A hold of all devices that an expression selects now.
///
/// @param selection an expression, as in rollouts
/// @param everything confirms that this may be all devices of the tenant
/// @param reason shown to everybody who asks why nothing is upgraded
/// @param until absent: until a person ends it
/// @param json as it was sent, to be recorded in the audit
@Introspected
record HoldSelectionRequest(
    @NotBlank @Size(max = Selection.MAX_LENGTH) String selection,
    @Bindable(defaultValue = "false") boolean everything,
    @NotBlank @Size(max = 500) String reason,
    @Nullable Instant until,
    @JsonIgnore ObjectNode json)
    implements SelectedDevices.Change {
  @Override
  public void check(BodyErrors errors, Instant now) {
    SelectedDevices.Change.super.check(errors, now);
    if (until != null && !until.isAfter(now)) {
      errors.add("/until", "expected a time in the future; it is past");
    }
  }
}
