package dev.uplift.services.rollout;

import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A rollout as it would be if it were created now.
///
/// @param devices so many take part
/// @param excluded selected devices that take no part, by name
/// @param firstStart when the first device of the first wave could start
/// @param lastStart when the last device could start as far as its windows say; empty: no window keeps any waiting.
///   Waves, soaks and limits come on top.
/// @param warnings for people
public record RolloutPreview(
    int devices,
    List<WavePreview> waves,
    List<ExcludedDevice> excluded,
    Instant firstStart,
    Optional<Instant> lastStart,
    List<String> warnings) {
  public RolloutPreview {
    waves = List.copyOf(waves);
    excluded = List.copyOf(excluded);
    warnings = List.copyOf(warnings);
  }

  /// A wave of it.
  ///
  /// @param devices so many
  /// @param sample the first few of them in the order of their turns
  public record WavePreview(int number, String title, int devices, List<String> sample) {
    public WavePreview {
      sample = List.copyOf(sample);
    }
  }
}
