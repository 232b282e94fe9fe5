package dev.uplift.api.json;

import dev.uplift.api.problem.RequestError;
import java.util.List;

/// A value that is not as it should be.
public final class InvalidValue extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<RequestError> errors;

  private InvalidValue(List<RequestError> errors) {
    super(errors.toString(), null, false, false);
    this.errors = errors;
  }

  /// The value as a whole.
  ///
  /// @param detail what was found and what would be right
  public static InvalidValue of(String detail) {
    return new InvalidValue(List.of(RequestError.atPointer("", detail)));
  }

  /// Faults inside the value, their pointers relative to it.
  static InvalidValue ofErrors(List<RequestError> errors) {
    return new InvalidValue(errors);
  }

  List<RequestError> errorsBelow(String pointer) {
    return errors.stream()
        .map(requestError ->
            RequestError.atPointer(
                pointer + requestError.pointer().orElse(""), requestError.detail()))
        .toList();
  }

  /// Without its place.
  public String detail() {
    return errors.getFirst().detail();
  }
}
