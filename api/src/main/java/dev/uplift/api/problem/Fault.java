package dev.uplift.api.problem;

import io.micronaut.serde.annotation.Serdeable;
import java.util.Optional;

/// One thing that is wrong with a request, and where.
///
/// @param pointer JSON pointer into the body; empty for the body as a whole
/// @param detail what is wrong, and what would be right
@Serdeable
public record Fault(
    Optional<String> pointer, Optional<String> parameter, Optional<String> header, String detail) {

  public static Fault at(String pointer, String detail) {
    return new Fault(Optional.of(pointer), Optional.empty(), Optional.empty(), detail);
  }

  /// Of the path or the query.
  public static Fault parameter(String name, String detail) {
    return new Fault(Optional.empty(), Optional.of(name), Optional.empty(), detail);
  }

  public static Fault header(String name, String detail) {
    return new Fault(Optional.empty(), Optional.empty(), Optional.of(name), detail);
  }
}
