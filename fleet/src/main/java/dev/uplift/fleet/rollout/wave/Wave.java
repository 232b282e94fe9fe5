package dev.uplift.fleet.rollout.wave;

import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import java.util.List;
import java.util.Optional;

/// A wave with its devices.
///
/// @param number from 1
/// @param specIndex of its plan in the list of waves, from 0
/// @param title what people call it
/// @param labelValue of the label, where there is one wave per value
/// @param devices names in the order in which they are started
public record Wave(
    int number, int specIndex, WaveSpec spec, String title, Optional<String> labelValue, List<String> devices) {
  public Wave {
    devices = List.copyOf(devices);
  }

  /// Returns whether it is for such a device; of a wave that takes any number of any devices it is not.
  boolean admits(SelectedDevice selectedDevice, DeviceMatcher deviceMatcher) {
    return switch (spec.size()) {
      case WaveSize.Matching(String expression) -> deviceMatcher.matches(expression, selectedDevice);
      case WaveSize.PerValue(String label) -> selectedDevice.label(label).equals(labelValue);
      case WaveSize.Count _, WaveSize.Percent _, WaveSize.Rest _ -> false;
    };
  }
}
