package dev.uplift.store;

import java.util.List;

/// Who takes part in a rollout, as it is frozen.
///
/// @param waves numbered from 1; a device is in one of them
/// @param leftOut who was selected and takes no part
public record Membership(List<NewWave> waves, List<LeftOut> leftOut) {
  public Membership {
    waves = List.copyOf(waves);
    leftOut = List.copyOf(leftOut);
  }

  /// A wave and the devices in it.
  ///
  /// @param place of its plan in the list of waves, from 0; -1 where nobody wrote one
  /// @param devices names in the order in which they are started
  public record NewWave(int number, int place, String title, List<String> devices) {
    public NewWave {
      devices = List.copyOf(devices);
    }
  }

  /// A device that was selected and takes no part.
  ///
  /// @param reason a fixed word
  /// @param detail for people
  public record LeftOut(String device, String reason, String detail) {}
}
