package dev.uplift.agent.core;

import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.Reply;
import dev.uplift.agent.link.Wire;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Subjects;
import java.util.Map;
import java.util.Optional;

/// Where the newest command for this host lies.
final class Slot {
  private static final String SEQUENCE = "Nats-Sequence";

  private final Wire wire;
  private final String subject;

  Slot(Wire wire, String host) {
    this.wire = wire;
    this.subject = Subjects.directGetCommand(host);
  }

  Optional<Letter> read() throws Away, InterruptedException {
    Reply reply = wire.ask(subject, Map.of(), new byte[0]);
    return switch (reply.status()) {
      case Reply.OK ->
          Optional.of(
              new Letter(
                  reply.header(SEQUENCE), reply.header(Command.SIGNATURE_HEADER), reply.body()));
      case Reply.NOT_FOUND -> Optional.empty();
      default -> throw new Away("the slot cannot be read, status " + reply.status());
    };
  }
}
