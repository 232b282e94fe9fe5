package dev.uplift.store.command;

/// Writes and signs a command. Has no effects: what it returns may be thrown away.
@FunctionalInterface
public interface CommandEncoder {
  /// The command, signed.
  SignedCommand encode(CommandBasis basis);
}
