package dev.uplift.fleet.rollout;

import java.util.List;
import java.util.Optional;

/// A wave with its devices.
///
/// @param number from 1
/// @param place of its plan in the list of waves, from 0
/// @param title what people call it
/// @param value of the label, where there is one wave per value
/// @param devices names in the order in which they are started
public record Wave(
    int number,
    int place,
    WaveSpec spec,
    String title,
    Optional<String> value,
    List<String> devices) {
  public Wave {
    devices = List.copyOf(devices);
  }

  /// Whether it is for such a device; of a wave that takes any number of any devices it is not.
  boolean isMadeFor(Member member, Matcher matcher) {
    return switch (spec.size()) {
      case WaveSize.Matching(String expression) -> matcher.matches(expression, member);
      case WaveSize.PerValue(String label) -> member.label(label).equals(value);
      case WaveSize.Count _, WaveSize.Percent _, WaveSize.Rest _ -> false;
    };
  }
}
