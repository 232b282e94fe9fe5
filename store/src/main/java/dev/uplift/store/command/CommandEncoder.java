package dev.uplift.store.command;

import java.time.Instant;

/// Writes and signs a command. Has no effects: what it returns may be thrown away.
@FunctionalInterface
public interface CommandEncoder {
  /// The command, signed.
  ///
  /// @param id a random one, for a command that has none of its own
  /// @param epoch higher than that of any command to this host, ever
  /// @param now when it is issued
  SignedCommand encode(String id, long epoch, Instant now);
}
