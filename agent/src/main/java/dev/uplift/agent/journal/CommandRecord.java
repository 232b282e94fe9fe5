package dev.uplift.agent.journal;

import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;

/// The progress of one command.
///
/// @param number rises from one to the next
/// @param command the exact text of a command that is begun; empty once it is answered
/// @param rebootFrom boot id of the host when its reboot was ordered; else empty
/// @param outcome the exact text of the answer; empty while there is none
/// @param sent whether the server's stream has the answer
public record CommandRecord(String id, long number, String command, String rebootFrom, String outcome, boolean sent) {

  public CommandRecord {
    FieldLimits.requireId("id", id);
  }

  static CommandRecord read(byte[] json) {
    JsonObject in = JsonObject.parse(json);
    return new CommandRecord(
        in.string("id"),
        in.number("number"),
        in.stringOr("command", ""),
        in.stringOr("reboot_from", ""),
        in.stringOr("outcome", ""),
        in.booleanOr("sent", false));
  }

  byte[] write() {
    return JsonWriter.toBytes(out -> {
      out.put("id", id).put("number", number);
      out.putUnlessEmpty("command", command).putUnlessEmpty("reboot_from", rebootFrom);
      out.putUnlessEmpty("outcome", outcome).put("sent", sent);
    });
  }

  public boolean isAnswered() {
    return !outcome.isEmpty();
  }

  CommandRecord withRebootFrom(String bootId) {
    return new CommandRecord(id, number, command, bootId, outcome, sent);
  }

  CommandRecord withOutcome(String text) {
    return new CommandRecord(id, number, "", "", text, false);
  }

  CommandRecord withSent() {
    return new CommandRecord(id, number, command, rebootFrom, outcome, true);
  }
}
