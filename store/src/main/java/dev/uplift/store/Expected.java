package dev.uplift.store;

/// What a change relies on.
public sealed interface Expected {
  Expected ANYTHING = new Anything();
  Expected ABSENT = new Absent();
  Expected PRESENT = new Present();

  static Expected version(long version) {
    return new Version(version);
  }

  /// Whatever is there, or nothing.
  record Anything() implements Expected {}

  /// Nothing is there yet (`If-None-Match: *`).
  record Absent() implements Expected {}

  /// Something is there (`If-Match: *`).
  record Present() implements Expected {}

  /// Nothing has changed since the row said so (`If-Match: "7"`).
  record Version(long version) implements Expected {}
}
