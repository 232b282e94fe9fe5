package dev.uplift.activities.device;

import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.MessageOrigin;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes commands from the stream that are none of this installation, or that have their outcome: the tables are an
/// older copy, or somebody else has written to the stream. A server creates the row of a command before it publishes
/// it.
@Singleton
public final class CommandStreamReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(CommandStreamReconciler.class);

  private final CommandRepository commands;
  private final LatestCommandStream commandStream;

  CommandStreamReconciler(CommandRepository commands, LatestCommandStream commandStream) {
    this.commands = commands;
    this.commandStream = commandStream;
  }

  /// Checks every command in the stream, of which there are as many as hosts that work. What is unavailable now is left
  /// to the next run; any number of servers may do this at once.
  ///
  /// @return whether the database and NATS were available
  public boolean run() {
    try {
      commandStream.listHosts().forEach(this::reconcile);
      return true;
    } catch (DatabaseUnavailable | NatsUnavailable e) {
      LOG.debug("commands are reconciled later", e);
      return false;
    }
  }

  private void reconcile(String host) {
    commandStream.findId(host).ifPresent(id -> reconcile(host, id));
  }

  private void reconcile(String host, String id) {
    Optional<CommandRow> row = find(host, id);
    if (row.isEmpty()) {
      LOG.warn("the command {} for {} is none of this installation, and is removed", id, host);
      commandStream.purge(host, Set.of(id));
    } else if (row.get().isWithdrawn() || row.get().outcome().isPresent()) {
      // Whoever has recorded its outcome is about to remove it, or was killed before.
      LOG.debug("the command {} for {} is over, and is removed", id, host);
      commandStream.purge(host, Set.of(id));
    }
  }

  private Optional<CommandRow> find(String host, String id) {
    try {
      MessageOrigin origin = MessageOrigin.of(Subjects.command(host));
      return commands.find(origin.tenant(), origin.host(), id);
    } catch (MalformedMessage _) {
      // Nothing can have this name.
      return Optional.empty();
    }
  }
}
