package dev.uplift.api.devices;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.pins.SelectedDevices;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.Release;
import dev.uplift.services.selection.Selection;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import tools.jackson.databind.node.ObjectNode;

/// The failures of a release that count no more, on all devices that an expression selects now.
///
/// @param selection an expression, as in rollouts
/// @param everything confirms that this may be all devices of the tenant
/// @param reason why they say nothing about the release; kept in the audit
/// @param json as it was sent, to be recorded in the audit
@Introspected
record ClearSelectedFailuresRequest(
    @NotBlank @Size(max = Selection.MAX_LENGTH) String selection,
    @Bindable(defaultValue = "false") boolean everything,
    @NameOf(NameRule.PACKAGE) @JsonProperty("package") String packageName,
    @NameOf(NameRule.VERSION) String version,
    @NotBlank @Size(max = 500) String reason,
    @JsonIgnore ObjectNode json)
    implements SelectedDevices.Change {
  Release release() {
    return new Release(packageName, version);
  }
}
