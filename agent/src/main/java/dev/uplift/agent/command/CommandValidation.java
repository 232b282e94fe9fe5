package dev.uplift.agent.command;

import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;

/// What may become of what was read.
sealed interface CommandValidation {
  /// Nobody's word that counts here. Never answered: who sent it is not known.
  ///
  /// @param why without a word of what it says
  record Rejected(String why) implements CommandValidation {}

  /// Answered before.
  record AlreadyAnswered(CommandRecord commandRecord) implements CommandValidation {}

  /// Being carried out.
  record InProgress() implements CommandValidation {}

  /// For another agent of this host.
  record OtherInstance() implements CommandValidation {}

  /// Never to be carried out.
  ///
  /// @param epoch the highest seen
  record AnsweredNow(Command command, long epoch, CommandResult result)
      implements CommandValidation {}

  /// May be carried out.
  ///
  /// @param text the command's exact text
  record Accepted(Command command, String text) implements CommandValidation {}
}
