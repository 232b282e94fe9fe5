package dev.uplift.api.windows;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.window.Window;
import io.micronaut.core.annotation.Introspected;
import jakarta.validation.constraints.Size;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The windows of all devices with a value of a label.
///
/// @param windows to have none, delete them
/// @param json as it was sent, to be recorded in the audit
@Introspected
record PutLabelWindowsRequest(
    @Size(min = 1, max = Window.MAX_WINDOWS) List<WindowView> windows, @JsonIgnore ObjectNode json)
    implements RequestBody {}
