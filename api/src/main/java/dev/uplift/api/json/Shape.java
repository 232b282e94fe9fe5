package dev.uplift.api.json;

import tools.jackson.databind.JsonNode;

/// How a value has to look.
@FunctionalInterface
public interface Shape<T> {
  T read(JsonNode json) throws Wrong;

  /// What `next` makes of what this one reads. An [IllegalArgumentException] of it says what is
  /// wrong with the value.
  default <U> Shape<U> then(Step<T, U> next) {
    return json -> {
      T value = read(json);
      try {
        return next.apply(value);
      } catch (IllegalArgumentException e) {
        throw Wrong.because(String.valueOf(e.getMessage()));
      }
    };
  }

  /// A step that may refuse what it is given.
  @FunctionalInterface
  interface Step<T, U> {
    U apply(T value) throws Wrong;
  }
}
