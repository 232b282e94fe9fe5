package dev.uplift.store.device;

import java.util.Optional;

/// The state that a change relies on (`If-Match`, `If-None-Match`).
public sealed interface Precondition {
  static Precondition anything() {
    return new Anything();
  }

  static Precondition absent() {
    return new Absent();
  }

  static Precondition present() {
    return new Present();
  }

  static Precondition version(long version) {
    return new Version(version);
  }

  /// The version that it has to be at; empty if it may be at any.
  default Optional<Long> version() {
    return this instanceof Version(long version) ? Optional.of(version) : Optional.empty();
  }

  /// Returns whether a change may be made to the state that was found.
  default boolean isMetBy(Optional<DeviceRow> found) {
    return isMetByVersion(found.map(DeviceRow::version));
  }

  /// The same.
  ///
  /// @param found version of what was found; empty if nothing was
  default boolean isMetByVersion(Optional<Long> found) {
    return switch (this) {
      case Anything _ -> true;
      case Absent _ -> found.isEmpty();
      case Present _ -> found.isPresent();
      case Version(long version) -> found.filter(row -> row == version).isPresent();
    };
  }

  /// Whatever is there, or nothing.
  record Anything() implements Precondition {}

  /// Nothing is there yet (`If-None-Match: *`).
  record Absent() implements Precondition {}

  /// Something is there (`If-Match: *`).
  record Present() implements Precondition {}

  /// Nothing has changed since the row said so (`If-Match: "7"`).
  record Version(long number) implements Precondition {}
}
