package dev.uplift.fleet;

import java.util.Locale;

/// Where a device upgrade is, coarse enough to be searched for.
public enum Phase {
  CHECK,
  PREPARE,
  /// For a window, or for somebody's word, before a host is touched.
  WAIT,
  UPGRADE,
  ROLLBACK,
  /// An upgrade that is done is taken back, because somebody wants it.
  REVERT,
  ENDED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
