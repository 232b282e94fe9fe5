package dev.uplift.fleet.pin;

import java.util.Locale;

/// Where a pin was set.
public enum PinOrigin {
  /// On a host of the device, by its owner.
  HOST,
  /// By a barrier, as long as it is open.
  BARRIER,
  /// At the server.
  OPERATOR;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
