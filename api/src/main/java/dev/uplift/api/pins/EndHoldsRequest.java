package dev.uplift.api.pins;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.uplift.services.selection.Selection;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import tools.jackson.databind.node.ObjectNode;

/// The end of the holds of all devices that an expression selects now.
///
/// @param selection an expression, as in rollouts
/// @param everything confirms that this may be all devices of the tenant
/// @param json as it was sent, to be recorded in the audit
@Introspected
record EndHoldsRequest(
    @NotBlank @Size(max = Selection.MAX_LENGTH) String selection,
    @Bindable(defaultValue = "false") boolean everything,
    @JsonIgnore ObjectNode json)
    implements SelectedDevices.Change {}
