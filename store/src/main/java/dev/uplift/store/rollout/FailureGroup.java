package dev.uplift.store.rollout;

import java.util.List;

/// Devices whose first error was the same.
///
/// @param exampleText the text of one of them
/// @param deviceCount so many
/// @param exampleDevices names of the first few
public record FailureGroup(
    String code, String errorClass, String exampleText, int deviceCount, List<String> exampleDevices) {
  public FailureGroup {
    exampleDevices = List.copyOf(exampleDevices);
  }
}
