package dev.uplift.services.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Command;

/// A command as it is published.
///
/// @param command has its id, which is also the message id, and its epoch
/// @param body exactly as it was signed
/// @param signature the value of the header
public record CommandMessage(Command command, String body, String signature) {
  public static CommandMessage of(String body, String signature) {
    return new CommandMessage(Command.read(body.getBytes(UTF_8)), body, signature);
  }
}
