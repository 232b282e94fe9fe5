package dev.uplift.protocol;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;

/// The result of a command, as reported by the agent.
public sealed interface CommandResult {
  /// The host is as the command asked, whether or not there was anything to do.
  record Done() implements CommandResult {}

  /// Done, and the host has to restart before it runs what was installed.
  record RebootRequired() implements CommandResult {}

  /// Done. The new agent runs beside the old one and takes over on request.
  record HandoverRequired() implements CommandResult {}

  /// Broken off, and nothing is changed.
  record Cancelled() implements CommandResult {}

  /// Not done. `code` is for programs, `text` is a sentence for people, cut to 1,000 characters.
  record Failed(String code, WireErrorClass errorClass, String text) implements CommandResult {
    public Failed {
      FieldLimits.requireWord("code", code);
      text = FieldLimits.truncate(text);
    }
  }

  /// A result or a code that we do not know is a failure, with all that the agent said: the agent has answered, and
  /// will not answer again.
  static CommandResult read(JsonObject in) {
    return switch (in.string("result")) {
      case "done" -> new Done();
      case "reboot-required" -> new RebootRequired();
      case "handover-required" -> new HandoverRequired();
      case "cancelled" -> new Cancelled();
      case "error" -> readFailure(in);
      default -> new Failed("unknown-result", WireErrorClass.FINAL, quote("result", in));
    };
  }

  private static Failed readFailure(JsonObject in) {
    // A class that a newer agent knows and we do not is not worth a guess.
    WireErrorClass errorClass = in.enumValueOr("class", WireErrorClass.values(), WireErrorClass.FINAL);
    return FieldLimits.isWord(in.stringOr("code", ""))
        ? new Failed(in.string("code"), errorClass, in.stringOr("text", ""))
        : new Failed("unknown-code", errorClass, quote("code", in));
  }

  private static String quote(String field, JsonObject in) {
    String text = in.stringOr("text", "");
    return "unknown %s \"%s\"%s".formatted(field, in.stringOr(field, ""), text.isEmpty() ? "" : ": " + text);
  }

  default void write(JsonWriter out) {
    switch (this) {
      case Done() -> out.put("result", "done");
      case RebootRequired() -> out.put("result", "reboot-required");
      case HandoverRequired() -> out.put("result", "handover-required");
      case Cancelled() -> out.put("result", "cancelled");
      case Failed(String code, WireErrorClass wireErrorClass, String text) ->
          out.put("result", "error").put("code", code).put("class", wireErrorClass).put("text", text);
    }
  }
}
