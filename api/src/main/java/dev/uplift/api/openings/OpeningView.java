package dev.uplift.api.openings;

import dev.uplift.fleet.window.WindowOpening;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/// One time in which a device may be touched.
///
/// @param opensAt absent if it has been open for very long
/// @param closesAt absent if it does not close in sight
/// @param localOpensAt with the offset of the device's zone
/// @param localClosesAt with the offset of the device's zone
@Serdeable
public record OpeningView(
    Optional<Instant> opensAt,
    Optional<Instant> closesAt,
    Optional<String> localOpensAt,
    Optional<String> localClosesAt,
    String message) {
  public static OpeningView of(WindowOpening opening) {
    return new OpeningView(
        opening.opens(),
        opening.closes(),
        opening.localOpens().map(OffsetDateTime::toString),
        opening.localCloses().map(OffsetDateTime::toString),
        opening.toString());
  }
}
