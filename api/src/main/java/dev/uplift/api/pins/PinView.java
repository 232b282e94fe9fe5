package dev.uplift.api.pins;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.store.pin.PinRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;

/// A package that stays at a version on a device.
///
/// @param version the only one that may be installed; absent of a hold
/// @param hold whether none may
/// @param actor who set it; of the host, the user there; of a barrier, its name
/// @param origin where it was set: at the server by an operator, on a host of the device by its owner, or by a barrier
///   as long as it is open
/// @param host on which the owner set it
/// @param until absent: until it is removed
/// @param revision rises with every change; also the ETag. Absent of what an owner or a barrier set
@Serdeable
public record PinView(
    @JsonProperty("package") String packageName,
    Optional<String> version,
    boolean hold,
    String reason,
    String actor,
    @Schema(implementation = PinOrigin.class) String origin,
    Optional<String> host,
    Instant since,
    Optional<Instant> until,
    Optional<Long> revision) {
  public static PinView of(PinRow row) {
    return new PinView(
        row.packageName(),
        row.version(),
        row.version().isEmpty(),
        row.reason(),
        row.setBy(),
        row.origin().toString(),
        Optional.of(row.host()).filter(name -> !name.isEmpty()),
        row.since(),
        row.until(),
        Optional.of(row.revision()).filter(revision -> revision > 0));
  }
}
