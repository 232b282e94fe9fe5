package dev.uplift.api.json;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The faults of a body, each with its JSON pointer.
public final class BodyErrors {
  private final List<RequestError> errors;
  private final String base;

  BodyErrors() {
    this(new ArrayList<>(), "");
  }

  private BodyErrors(List<RequestError> errors, String base) {
    this.errors = errors;
    this.base = base;
  }

  /// These faults, with pointers that are relative to a field of this object.
  BodyErrors under(String field) {
    return new BodyErrors(errors, base + "/" + escapePointer(field));
  }

  /// Adds a fault, unless one of that place, or of something around it, is known already.
  ///
  /// @param pointer within this object
  public void add(String pointer, String detail) {
    if (!has(pointer)) {
      errors.add(RequestError.atPointer(base + pointer, detail));
    }
  }

  /// Adds the message of the [IllegalArgumentException] with which `rule` refuses a value.
  ///
  /// @param value `null` if it is absent or wrong: then no rule applies
  public <T> void check(String pointer, @Nullable T value, Consumer<T> rule) {
    if (value != null) {
      try {
        rule.accept(value);
      } catch (IllegalArgumentException e) {
        add(pointer, String.valueOf(e.getMessage()));
      }
    }
  }

  /// Returns whether a fault is recorded at that place or at one that contains it.
  public boolean has(String pointer) {
    String place = base + pointer;
    return errors.stream()
        .map(error -> error.pointer().orElse(""))
        .anyMatch(known -> place.equals(known) || place.startsWith(known + "/"));
  }

  /// @throws ProblemException (400) with all faults, if there are any
  void throwIfAny() {
    if (!errors.isEmpty()) {
      throw ProblemException.badRequest(errors);
    }
  }

  /// The name of a field as a part of a JSON pointer.
  public static String escapePointer(String field) {
    return field.replace("~", "~0").replace("/", "~1");
  }
}
