package dev.uplift.api.problem;

import io.micronaut.serde.annotation.Serdeable;
import java.util.Optional;

/// A fault of a request, and where it is.
///
/// @param pointer JSON pointer into the body; empty for the body as a whole
/// @param detail what was found, and what was expected
@Serdeable
public record RequestError(
    Optional<String> pointer, Optional<String> parameter, Optional<String> header, String detail) {

  public static RequestError atPointer(String pointer, String detail) {
    return new RequestError(Optional.of(pointer), Optional.empty(), Optional.empty(), detail);
  }

  /// A fault in the path or the query.
  public static RequestError parameter(String name, String detail) {
    return new RequestError(Optional.empty(), Optional.of(name), Optional.empty(), detail);
  }

  public static RequestError header(String name, String detail) {
    return new RequestError(Optional.empty(), Optional.empty(), Optional.of(name), detail);
  }
}
