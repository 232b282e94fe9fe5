package dev.uplift.store;

import java.util.List;

/// Devices whose first error was the same.
///
/// @param example the text of one of them
/// @param devices so many
/// @param some names of the first few
public record FailureGroup(
    String code, String errorClass, String example, int devices, List<String> some) {
  public FailureGroup {
    some = List.copyOf(some);
  }

  FailureGroup with(List<String> names) {
    return new FailureGroup(code, errorClass, example, devices, names);
  }
}
