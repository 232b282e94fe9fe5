package dev.uplift.agent.core;

import dev.uplift.agent.ops.Op;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Result;

/// What may become of what was read.
sealed interface Verdict {
  /// Nobody's word that counts here. Never answered: who sent it is not known.
  ///
  /// @param why without a word of what it says
  record Refused(String why) implements Verdict {}

  /// Answered before.
  record Answered(Op op) implements Verdict {}

  /// Being carried out.
  record InWork() implements Verdict {}

  /// For another agent of this host.
  record Elsewhere() implements Verdict {}

  /// Never to be carried out.
  ///
  /// @param epoch the highest seen
  record Settled(Command command, long epoch, Result result) implements Verdict {}

  /// May be carried out.
  ///
  /// @param text the command's exact text
  record Due(Command command, String text) implements Verdict {}
}
