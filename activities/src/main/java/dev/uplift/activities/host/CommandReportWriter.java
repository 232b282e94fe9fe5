package dev.uplift.activities.host;

import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.store.command.CommandReport;
import dev.uplift.store.command.CommandRepository;
import io.nats.client.Message;
import jakarta.inject.Singleton;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/// Writes what becomes known of commands before their outcome.
@Singleton
final class CommandReportWriter implements BatchWriter.RowWriter<CommandReport> {
  private final CommandRepository commands;

  CommandReportWriter(CommandRepository commands) {
    this.commands = commands;
  }

  @Override
  public String table() {
    return "command";
  }

  @Override
  public List<Consumer<Message>> write(List<CommandReport> rows) {
    commands.record(rows);
    return Collections.nCopies(rows.size(), Message::ack);
  }
}
