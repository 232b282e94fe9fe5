package dev.uplift.cli.nats;

import java.util.Locale;

/// A key of NATS that can be rotated while the fleet runs, see [NatsKeyFolder#rotate].
public enum RotatableNatsKey {
  /// Signs the JWTs of hosts.
  HOSTS_SIGNING,
  /// Signs account JWTs.
  OPERATOR_SIGNING,
  /// Credentials of Uplift servers.
  SERVER,
  /// Credentials of Uplift servers to update account JWTs.
  SYSTEM;

  /// Returns its name on the command line and in file names.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
