package dev.uplift.services.selection;

import java.util.Map;

/// A device as an expression sees it.
///
/// @param versions package to version; `mixed` where its hosts differ
/// @param hostCount how many hosts it has
/// @param zone name of its time zone
public record SelectableDevice(
    String device, Map<String, String> labels, Map<String, String> versions, int hostCount, String zone) {
  /// The version of a package of which not all hosts run the same.
  public static final String MIXED = "mixed";

  public SelectableDevice {
    labels = Map.copyOf(labels);
    versions = Map.copyOf(versions);
  }

  Map<String, Object> variables() {
    return Map.of(
        Selection.DEVICE, device,
        Selection.LABELS, labels,
        Selection.VERSIONS, versions,
        Selection.HOSTS, (long) hostCount,
        Selection.ZONE, zone);
  }
}
