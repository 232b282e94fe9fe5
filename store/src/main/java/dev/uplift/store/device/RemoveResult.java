package dev.uplift.store.device;

/// The result of removing a device. Only after [Removed] has anything changed.
public sealed interface RemoveResult {
  record Removed(DeviceRow device) implements RemoveResult {}

  record NotFound() implements RemoveResult {}

  /// Not what was [Precondition].
  record PreconditionFailed(DeviceRow found) implements RemoveResult {}

  /// An upgrade of it runs.
  record Busy(String runningUpgrade) implements RemoveResult {}
}
