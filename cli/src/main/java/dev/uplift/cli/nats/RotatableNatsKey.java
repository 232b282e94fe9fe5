package dev.uplift.cli.nats;

import java.util.Locale;

/// A key of NATS that can be exchanged while the fleet runs, see [NatsKeyFolder#rotate].
public enum RotatableNatsKey {
  /// Signs the tickets of hosts.
  HOSTS_SIGNING,
  /// Signs what accounts may do.
  OPERATOR_SIGNING,
  /// What servers log in with to work.
  SERVER,
  /// What servers log in with to tell NATS what accounts may do.
  SYSTEM;

  /// As it is called on the command line, and in the names of files.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
