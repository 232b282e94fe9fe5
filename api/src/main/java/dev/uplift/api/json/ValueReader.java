package dev.uplift.api.json;

import tools.jackson.databind.JsonNode;

/// How a value has to look.
@FunctionalInterface
public interface ValueReader<T> {
  T read(JsonNode json) throws InvalidValue;

  /// What `next` makes of what this one reads. An [IllegalArgumentException] of it says what is
  /// wrong with the value.
  default <U> ValueReader<U> then(Mapper<T, U> next) {
    return json -> {
      T value = read(json);
      try {
        return next.apply(value);
      } catch (IllegalArgumentException e) {
        throw InvalidValue.of(String.valueOf(e.getMessage()));
      }
    };
  }

  /// A step that may refuse what it is given.
  @FunctionalInterface
  interface Mapper<T, U> {
    U apply(T value) throws InvalidValue;
  }
}
