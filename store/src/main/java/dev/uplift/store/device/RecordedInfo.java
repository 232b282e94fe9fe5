package dev.uplift.store.device;

/// The result of recording the info of a host.
public enum RecordedInfo {
  /// Its tenant does not exist: nothing is recorded.
  NO_TENANT,
  /// It is recorded, or was older than what is.
  RECORDED,
  /// It is recorded, and the owner of the host holds other packages, or its repositories offer something else, than
  /// before.
  CHANGED
}
