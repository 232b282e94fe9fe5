package dev.uplift.fleet;

import java.util.Locale;

/// The phase of a device upgrade, coarse enough for a search attribute.
public enum Phase {
  CHECK,
  PREPARE,
  /// Waits for a window, an approval or its rollout, before a host is changed.
  WAIT,
  UPGRADE,
  ROLLBACK,
  /// A finished upgrade is reverted on request.
  REVERT,
  ENDED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
