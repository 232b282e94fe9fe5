package dev.uplift.agent.ops;

import dev.uplift.protocol.Bounds;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.Json;

/// One command, as far as it has come.
///
/// @param order rises from one to the next
/// @param command the exact text of a command that is begun; empty once it is answered
/// @param rebootFrom boot id of the host when its reboot was ordered; else empty
/// @param outcome the exact text of the answer; empty while there is none
/// @param sent whether the server's stream has the answer
public record Op(
    String id, long order, String command, String rebootFrom, String outcome, boolean sent) {

  public Op {
    Bounds.id("id", id);
  }

  static Op read(byte[] json) {
    Fields in = Fields.of(json);
    return new Op(
        in.text("id"),
        in.number("order"),
        in.textOr("command", ""),
        in.textOr("reboot_from", ""),
        in.textOr("outcome", ""),
        in.flagOr("sent", false));
  }

  byte[] write() {
    return Json.object(out -> {
      out.put("id", id).put("order", order);
      out.putUnlessEmpty("command", command).putUnlessEmpty("reboot_from", rebootFrom);
      out.putUnlessEmpty("outcome", outcome).put("sent", sent);
    });
  }

  public boolean isAnswered() {
    return !outcome.isEmpty();
  }

  Op rebootingFrom(String bootId) {
    return new Op(id, order, command, bootId, outcome, sent);
  }

  Op answered(String text) {
    return new Op(id, order, "", "", text, false);
  }

  Op isSent() {
    return new Op(id, order, command, rebootFrom, outcome, true);
  }
}
