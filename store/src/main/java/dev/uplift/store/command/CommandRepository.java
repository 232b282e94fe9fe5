package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Database;
import dev.uplift.store.NoSuchTenant;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/// The tables `command`, `late_outcome` and `host_epoch`: a command is minted once per
/// [CommandKey], whoever asks, however often. A row is never removed; what it once says of the
/// command, its cancel and its outcome stays.
public final class CommandRepository {
  private static final int MAX_LATE_OUTCOMES = 16;

  private final Database database;
  private final InstantSource clock;

  public CommandRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The command for `key`: minted by the first call, the same one ever after. From now on `waiter`
  /// is who waits for its outcome. One that was withdrawn is not minted any more.
  ///
  /// @throws NoSuchTenant if there is none for it
  public CommandRow createIfAbsent(CommandKey key, WaitingActivity waitingActivity, CommandEncoder commandEncoder) {
    return database.withHandle(handle -> {
      var table = new CommandStatements(handle);
      long lastEpoch = table.lockEpoch(key.tenant(), key.host());
      Optional<CommandRow> row = table.find(key);
      if (row.isEmpty()) {
        Instant now = now();
        long epoch = nextEpoch(table, key, lastEpoch, now);
        SignedCommand signedCommand = commandEncoder.encode(UUID.randomUUID().toString(), epoch, now);
        table.insert(key, signedCommand, epoch, waitingActivity, now);
      } else if (!row.get().waiter().equals(Optional.of(waitingActivity))) {
        table.setWaiter(key.tenant(), row.get().id(), waitingActivity);
      } else {
        return row.get();
      }
      return table.find(key).orElseThrow();
    });
  }

  /// From now on the command is never sent again, and the cancel that `mint` writes is in its
  /// place. Safe to repeat: there is one cancel. A command that was not minted yet is withdrawn.
  ///
  /// Returns the row of the cancel, a command of its own with the step `cancel`; empty if there is
  /// nothing to send, for the command is withdrawn or has its outcome.
  ///
  /// @param command that is not to be done any more
  /// @throws NoSuchTenant if there is none for it
  public Optional<CommandRow> cancel(CommandKey command, CancelEncoder mint) {
    return database.withHandle(handle -> {
      var table = new CommandStatements(handle);
      long lastEpoch = table.lockEpoch(command.tenant(), command.host());
      Optional<CommandRow> row = table.find(command);
      if (row.isEmpty()) {
        table.insertWithdrawn(command, UUID.randomUUID().toString(), now());
        return Optional.empty();
      }
      CommandRow found = row.get();
      if (found.isWithdrawn() || found.outcome().isPresent()) {
        return Optional.empty();
      }
      String cancel =
          found
              .cancel()
              .map(SignedCommand::id)
              .orElseGet(() -> createCancel(table, found, lastEpoch, mint));
      return table.find(command.tenant(), cancel);
    });
  }

  private String createCancel(CommandStatements table, CommandRow row, long lastEpoch, CancelEncoder mint) {
    CommandKey command = row.key();
    CommandKey key = table.nextCancelKey(command);
    Instant now = now();
    long epoch = nextEpoch(table, key, lastEpoch, now);
    SignedCommand signedCommand = mint.encode(UUID.randomUUID().toString(), epoch, now, row.id());
    table.insert(key, signedCommand, epoch, null, now);
    table.setCancel(command.tenant(), row.id(), signedCommand.id());
    return signedCommand.id();
  }

  /// Rises even when the clock goes back, and when the table is an older copy of itself.
  private static long nextEpoch(CommandStatements table, CommandKey key, long last, Instant now) {
    long epoch = Math.max(last + 1, now.toEpochMilli());
    table.setEpoch(key.tenant(), key.host(), epoch);
    return epoch;
  }

  /// The command, or its cancel, stands in the host's slot.
  ///
  /// @param id of what was sent, as in [CommandRow#toPublish]
  /// @param sequence in the stream
  public void recordPublished(String tenant, String id, long sequence) {
    database.withHandle(handle ->
        new CommandStatements(handle)
            .updateById(
                """
                UPDATE command SET published_at = COALESCE(published_at, :now),
                  publish_count = publish_count + 1, stream_sequence = :sequence
                WHERE tenant = :tenant AND id = :id\
                """,
                tenant,
                id)
            .bind("now", now())
            .bind("sequence", sequence)
            .execute());
  }

  /// Those to this host that have no outcome yet and are not withdrawn, cancels among them.
  public List<CommandRow> findOpen(String tenant, HostId host) {
    return database.withHandle(handle -> new CommandStatements(handle).findOpen(tenant, host));
  }

  public Optional<CommandRow> find(CommandKey key) {
    return database.withHandle(handle -> new CommandStatements(handle).find(key));
  }

  /// The command of this id to this host; a host cannot answer for another.
  public Optional<CommandRow> find(String tenant, HostId host, String id) {
    return database.withHandle(handle -> find(handle, tenant, host, id));
  }

  private static Optional<CommandRow> find(Handle handle, String tenant, HostId host, String id) {
    return new CommandStatements(handle).find(tenant, id).filter(row -> row.key().host().equals(host));
  }

  /// The agent has it since `at`. Only the first word counts. Nothing happens if there is no such
  /// command.
  public void recordAccepted(String tenant, HostId host, String id, Instant at) {
    database.withHandle(handle ->
        new CommandStatements(handle)
            .updateById(
                """
                UPDATE command SET accepted_at = :at
                WHERE tenant = :tenant AND id = :id AND host = :host AND accepted_at IS NULL\
                """,
                tenant,
                id)
            .bind("host", host.value())
            .bind("at", at.truncatedTo(ChronoUnit.MILLIS))
            .execute());
  }

  /// What the agent does, for people; replaces what it said before. Nothing happens if there is no
  /// such command, or if it has its outcome.
  public void recordProgress(String tenant, HostId host, String id, String text) {
    database.withHandle(handle ->
        new CommandStatements(handle)
            .updateById(
                """
                UPDATE command SET progress = :text
                WHERE tenant = :tenant AND id = :id AND host = :host AND closed_at IS NULL\
                """,
                tenant,
                id)
            .bind("host", host.value())
            .bind("text", text)
            .execute());
  }

  /// The command has an outcome: the first one stays, a later and different one is kept beside it
  /// (sixteen of them at most). Empty if there is no such command. Safe to repeat: whoever hands
  /// the outcome on hands on that of the row, whether it was the first or not.
  ///
  /// @param outcome exactly as the agent said it
  public Optional<OutcomeRecorded> recordOutcome(String tenant, HostId host, String id, String outcome) {
    return database.withHandle(handle -> {
      boolean first = recordFirstOutcome(handle, tenant, host, id, outcome);
      Optional<CommandRow> row =
          find(handle, tenant, host, id).filter(found -> !found.isWithdrawn());
      if (!first && row.isPresent() && !row.get().outcome().equals(Optional.of(outcome))) {
        recordLateOutcome(handle, tenant, id, outcome);
      }
      return row.map(found -> new OutcomeRecorded(found, first));
    });
  }

  private boolean recordFirstOutcome(
      Handle handle, String tenant, HostId host, String id, String outcome) {
    return new CommandStatements(handle)
            .updateById(
                """
                UPDATE command SET outcome = :outcome, closed_at = :now
                WHERE tenant = :tenant AND id = :id AND host = :host AND closed_at IS NULL\
                """,
                tenant,
                id)
            .bind("host", host.value())
            .bind("outcome", outcome)
            .bind("now", now())
            .execute()
        == 1;
  }

  private void recordLateOutcome(Handle handle, String tenant, String id, String outcome) {
    List<TimelineEntry.LateOutcome> kept = TimelineQueries.lateOutcomesOf(handle, tenant, id);
    if (kept.size() < MAX_LATE_OUTCOMES
        && kept.stream().noneMatch(lateOutcome -> lateOutcome.outcome().equals(outcome))) {
      handle
          .createUpdate(
              """
              INSERT INTO late_outcome (tenant, command, number, outcome, received_at)
              VALUES (:tenant, :command, :number, :outcome, :now)
              ON CONFLICT DO NOTHING\
              """)
          .bind("tenant", tenant)
          .bind("command", id)
          .bind("number", kept.size() + 1)
          .bind("outcome", outcome)
          .bind("now", now())
          .execute();
    }
  }

  /// All commands of an upgrade, in the order in which they were minted.
  public List<TimelineEntry> timeline(String tenant, String upgrade) {
    return database.withHandle(handle -> TimelineQueries.ofUpgrade(handle, tenant, upgrade));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /// Writes and signs a cancel; as [CommandEncoder].
  @FunctionalInterface
  public interface CancelEncoder {
    /// The cancel, signed.
    ///
    /// @param cancels id of the command that is to be cancelled
    SignedCommand encode(String id, long epoch, Instant now, String cancels);
  }
}
