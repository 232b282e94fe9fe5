package dev.uplift.cli.text;

import dev.uplift.protocol.PrintableText;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Responses as they may be shown: some of their texts were written by hosts, and a terminal must obey none of them.
public final class PrintableJson {
  /// The only field with more than one line.
  private static final String LOG = "log";

  private PrintableJson() {}

  /// Returns a copy in which every text is one line that a terminal prints and does not obey, with the times in
  /// sentences in whole seconds; `log` stays as it is, but for what a terminal would obey.
  public static JsonNode of(JsonNode json) {
    return switch (json) {
      case ObjectNode object -> {
        ObjectNode copy = object.objectNode();
        object.properties().forEach(field -> copy.set(field.getKey(), of(field.getKey(), field.getValue())));
        yield copy;
      }
      case ArrayNode list -> {
        ArrayNode copy = list.arrayNode();
        list.forEach(each -> copy.add(of(each)));
        yield copy;
      }
      case StringNode text -> StringNode.valueOf(TextFormat.timesInSentence(PrintableText.line(text.asString())));
      default -> json;
    };
  }

  private static JsonNode of(String field, JsonNode value) {
    return field.equals(LOG) && value.isString()
        ? StringNode.valueOf(PrintableText.lines(value.asString()))
        : of(value);
  }

  /// Returns JSON with the same content, in which characters that a terminal obeys are written as escapes.
  public static String escape(String json) {
    var escaped = new StringBuilder(json.length());
    for (int at = 0; at < json.length(); at++) {
      char found = json.charAt(at);
      // Outside of its texts JSON has line breaks, and within them only escapes of them.
      if (found != '\n' && found != '\r' && PrintableText.isControl(found)) {
        escaped.append("\\u%04x".formatted((int) found));
      } else {
        escaped.append(found);
      }
    }
    return escaped.toString();
  }
}
