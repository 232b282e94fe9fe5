package dev.uplift.fleet.rollout.wave;

import java.util.Map;
import java.util.Optional;

/// A device that takes part, as it was when the rollout was started.
public record SelectedDevice(String device, Map<String, String> labels) {
  public SelectedDevice {
    labels = Map.copyOf(labels);
  }

  Optional<String> label(String name) {
    return Optional.ofNullable(labels.get(name));
  }
}
