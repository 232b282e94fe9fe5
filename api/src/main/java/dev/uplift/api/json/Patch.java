package dev.uplift.api.json;

import java.util.Optional;

/// A field of a merge patch (RFC 7396).
///
/// @param isPresent false: the patch leaves the field as it is
/// @param value empty: the field is reset to its default
public record Patch<T>(boolean isPresent, Optional<T> value) {
  /// Returns the field after the patch.
  ///
  /// @param standard the default of the field
  public T applyTo(T current, T standard) {
    return isPresent ? value.orElse(standard) : current;
  }
}
