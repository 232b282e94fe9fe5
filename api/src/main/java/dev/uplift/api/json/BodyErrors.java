package dev.uplift.api.json;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import java.util.ArrayList;
import java.util.List;

/// What is wrong with a body, each fault with its JSON pointer.
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

  /// The same faults, seen from a field of this object.
  BodyErrors under(String field) {
    return new BodyErrors(errors, base + "/" + ValueReaders.escapePointer(field));
  }

  /// Adds a fault, unless one of that place, or of something inside it, is known already.
  ///
  /// @param pointer within this object
  public void add(String pointer, String detail) {
    String place = base + pointer;
    boolean isKnown =
        errors.stream()
            .map(error -> error.pointer().orElse(""))
            .anyMatch(known -> place.equals(known) || place.startsWith(known + "/"));
    if (!isKnown) {
      errors.add(RequestError.atPointer(place, detail));
    }
  }

  void addAll(InvalidValue invalid) {
    errors.addAll(invalid.errorsBelow(base));
  }

  /// @throws InvalidValue with all faults, for the object around
  void throwAsInvalidValue() throws InvalidValue {
    if (!errors.isEmpty()) {
      throw InvalidValue.ofErrors(errors);
    }
  }

  /// @throws ProblemException (400) with all faults, if there are any
  void throwIfAny() {
    if (!errors.isEmpty()) {
      throw ProblemException.badRequest(errors);
    }
  }
}
