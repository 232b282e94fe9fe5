package dev.uplift.api.json;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A field of a body that was read. Ask for its value after [Body#done].
public final class Field<T> {
  private final @Nullable T value;
  private final boolean isThere;

  Field(@Nullable T value, boolean isThere) {
    this.value = value;
    this.isThere = isThere;
  }

  /// Of a field that is required.
  public T get() {
    if (value == null) {
      throw new IllegalStateException("asked for before the body was done, or not required");
    }
    return value;
  }

  public Optional<T> find() {
    return Optional.ofNullable(value);
  }

  public T or(T other) {
    return value == null ? other : value;
  }

  /// Whether the body has it, `null` or not.
  public boolean isThere() {
    return isThere;
  }
}
