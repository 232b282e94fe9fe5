package dev.uplift.store;

import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The tables `command`, `late_outcome` and `host_epoch`: a command is minted once per
/// [CommandKey], whoever asks, however often. A row is never removed; what it once says of the
/// command, its cancel and its outcome stays.
@SuppressWarnings("DoNotCallSuggester")
public final class Commands {
  public Commands(Database database, InstantSource clock) {}

  /// The command for `key`: minted by the first call, the same one ever after. From now on `waiter`
  /// is who waits for its outcome. One that was withdrawn is not minted any more.
  ///
  /// @throws NoSuchTenant if there is none for it
  public CommandRow await(CommandKey key, Waiter waiter, Mint mint) {
    throw new UnsupportedOperationException();
  }

  /// From now on the command is never sent again, and the cancel that `mint` writes is in its
  /// place. Safe to repeat: there is one cancel. A command that was not minted yet is withdrawn.
  ///
  /// Returns the row of the cancel, a command of its own with the step `cancel`; empty if there is
  /// nothing to send, for the command is withdrawn or has its outcome.
  ///
  /// @param command that is not to be done any more
  /// @throws NoSuchTenant if there is none for it
  public Optional<CommandRow> cancel(CommandKey command, CancelMint mint) {
    throw new UnsupportedOperationException();
  }

  /// The command, or its cancel, stands in the host's slot.
  ///
  /// @param id of what was sent, as in [CommandRow#toSend]
  /// @param sequence in the stream
  public void published(String tenant, String id, long sequence) {
    throw new UnsupportedOperationException();
  }

  public Optional<CommandRow> find(CommandKey key) {
    throw new UnsupportedOperationException();
  }

  /// The command of this id to this host; a host cannot answer for another.
  public Optional<CommandRow> find(String tenant, HostId host, String id) {
    throw new UnsupportedOperationException();
  }

  /// The agent has it. Only the first word counts. Nothing happens if there is no such command.
  public void accepted(String tenant, HostId host, String id) {
    throw new UnsupportedOperationException();
  }

  /// What the agent does, for people; replaces what it said before. Nothing happens if there is no
  /// such command, or if it has its outcome.
  public void progressed(String tenant, HostId host, String id, String text) {
    throw new UnsupportedOperationException();
  }

  /// The command has an outcome: the first one stays, a later and different one is kept beside it
  /// (sixteen of them at most). Empty if there is no such command. Safe to repeat: whoever hands
  /// the outcome on hands on that of the row, whether it was the first or not.
  ///
  /// @param outcome exactly as the agent said it
  public Optional<Settled> settle(String tenant, HostId host, String id, String outcome) {
    throw new UnsupportedOperationException();
  }

  /// All commands of an upgrade, in the order in which they were minted.
  public List<TimelineEntry> timeline(String tenant, String upgrade) {
    throw new UnsupportedOperationException();
  }

  /// Writes and signs a cancel; as [Mint].
  @FunctionalInterface
  public interface CancelMint {
    /// The cancel, signed.
    ///
    /// @param cancels id of the command that is to be cancelled
    Written write(String id, long epoch, Instant now, String cancels);
  }
}
