package dev.uplift.store.device;

import java.util.Map;
import java.util.Optional;

/// Selects devices.
///
/// @param labels that a device must all have, with these values
/// @param runningVersion that at least one of its hosts must run; empty for any
public record DeviceFilter(Map<String, String> labels, Optional<RunningVersion> runningVersion) {
  public static final DeviceFilter ALL = new DeviceFilter(Map.of(), Optional.empty());

  public DeviceFilter {
    labels = Map.copyOf(labels);
  }

  /// A host runs this version of a package.
  ///
  /// @param version `unknown`: the host never named the package
  public record RunningVersion(String packageName, String version) {
    boolean isUnknown() {
      return version.equals("unknown");
    }
  }
}
