package dev.uplift.api.devices;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.Release;
import io.micronaut.core.annotation.Introspected;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/// The failures of a release on a device that count no more.
///
/// @param reason why they say nothing about the release; kept in the audit
@Introspected
record ClearFailuresRequest(
    @NameOf(NameRule.PACKAGE) @JsonProperty("package") String packageName,
    @NameOf(NameRule.VERSION) String version,
    @NotBlank @Size(max = 500) String reason)
    implements RequestBody {
  Release release() {
    return new Release(packageName, version);
  }
}
