package dev.uplift.store;

/// What came of removing a device. Only after [Removed] has anything changed.
public sealed interface Removal {
  record Removed(DeviceRow device) implements Removal {}

  record NotThere() implements Removal {}

  /// Not what was [Expected].
  record Stale(DeviceRow found) implements Removal {}

  /// An upgrade of it runs.
  record Busy(String upgrade) implements Removal {}
}
