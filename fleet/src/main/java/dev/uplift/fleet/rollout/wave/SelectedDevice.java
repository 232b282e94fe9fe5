package dev.uplift.fleet.rollout.wave;

import java.util.Map;
import java.util.Optional;

/// A device that takes part, as it was when the rollout was started.
///
/// @param heard whether all its hosts were
public record SelectedDevice(String device, Map<String, String> labels, boolean heard) {
  /// A device that is heard.
  public SelectedDevice(String device, Map<String, String> labels) {
    this(device, labels, true);
  }

  public SelectedDevice {
    labels = Map.copyOf(labels);
  }

  Optional<String> label(String name) {
    return Optional.ofNullable(labels.get(name));
  }
}
