package dev.uplift.api.json;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A field of a body that was read. Ask for its value after [JsonBody#throwIfInvalid].
public final class JsonField<T> {
  private final @Nullable T value;
  private final boolean isPresent;

  JsonField(@Nullable T value, boolean isPresent) {
    this.value = value;
    this.isPresent = isPresent;
  }

  /// Of a field that is required.
  public T get() {
    if (value == null) {
      throw new IllegalStateException("asked for before the body was done, or not required");
    }
    return value;
  }

  public Optional<T> asOptional() {
    return Optional.ofNullable(value);
  }

  public T orElse(T other) {
    return value == null ? other : value;
  }

  /// Whether the body has it, `null` or not.
  public boolean isPresent() {
    return isPresent;
  }
}
