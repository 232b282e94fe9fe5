package dev.uplift.agent.command;

import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Subjects;
import java.util.Map;
import java.util.Optional;

/// Where the newest command for this host lies.
final class CommandMailbox {
  private static final String SEQUENCE = "Nats-Sequence";

  private final Transport wire;
  private final String subject;

  CommandMailbox(Transport wire, String host) {
    this.wire = wire;
    this.subject = Subjects.directGetCommand(host);
  }

  Optional<ReceivedCommand> readLatest() throws ServerUnavailable, InterruptedException {
    Reply reply = wire.request(subject, Map.of(), new byte[0]);
    return switch (reply.status()) {
      case Reply.OK ->
          Optional.of(
              new ReceivedCommand(
                  reply.header(SEQUENCE), reply.header(Command.SIGNATURE_HEADER), reply.body()));
      case Reply.NOT_FOUND -> Optional.empty();
      default -> throw new ServerUnavailable("the slot cannot be read, status " + reply.status());
    };
  }
}
