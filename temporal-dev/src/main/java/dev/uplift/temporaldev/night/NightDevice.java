package dev.uplift.temporaldev.night;

/// A device of the fleet.
///
/// @param name of the device
/// @param hostNumber number of its only host
/// @param isCanary whether it is in the first wave
public record NightDevice(String name, int hostNumber, NightRegion region, boolean isCanary, HostBehaviour behaviour) {
  /// Prefix of the names of all hosts.
  static final String HOST_PREFIX = "night-";

  String host() {
    return HOST_PREFIX + "%05d".formatted(hostNumber);
  }

  String expectedOutcome() {
    return behaviour.outcome();
  }
}
