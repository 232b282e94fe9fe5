package dev.uplift.store.rollout;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.List;

/// The devices and waves of a rollout when its membership is frozen.
///
/// @param waves numbered from 1; a device is in one of them
/// @param excluded who was selected and takes no part
public record RolloutMembership(List<NewWave> waves, List<ExcludedDevice> excluded) {
  public RolloutMembership {
    waves = List.copyOf(waves);
    excluded = List.copyOf(excluded);
  }

  /// A wave and the devices in it.
  ///
  /// @param planIndex of its plan in the list of waves, from 0; -1 if the plan has none
  /// @param devices names in the order in which they are started
  public record NewWave(int number, int planIndex, String title, List<String> devices) {
    public NewWave {
      devices = List.copyOf(devices);
    }
  }

  /// A device that was selected and takes no part.
  ///
  /// @param reason a fixed word
  /// @param detail for people
  @MappedEntity("rollout_exclusion")
  public record ExcludedDevice(@Id String device, String reason, String detail) {}
}
