package dev.uplift.protocol.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;

/// Reads one JSON object of UTF-8 as RFC 8259 has it, and nothing but that. What is of no kind that a message has
/// (`null`, fractions, integers of more than 64 bits, lists in lists) is checked and left out.
///
/// Not a library: what an agent keeps in memory of Jackson's parser is 3 MiB.
final class JsonReader {
  private static final int MAX_DEPTH = 64;

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  static JsonObject read(byte[] json) {
    JsonReader reader;
    try {
      reader = new JsonReader(UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString());
    } catch (CharacterCodingException _) {
      throw new MalformedMessage("message: not JSON, because it is not UTF-8");
    }
    reader.skipSpace();
    if (!reader.accept('{')) {
      throw new MalformedMessage("message: expected a JSON object");
    }
    JsonObject jsonObject = reader.object(1);
    reader.skipSpace();
    if (reader.at < reader.text.length()) {
      throw new MalformedMessage("message: expected nothing after the JSON object");
    }
    return jsonObject;
  }

  /// Behind its `{`.
  private JsonObject object(int depth) {
    var jsonObject = new JsonObject();
    skipSpace();
    if (accept('}')) {
      return jsonObject;
    }
    do {
      skipSpace();
      expect('"');
      String name = string();
      skipSpace();
      expect(':');
      Object value = value(depth);
      if (value instanceof List<?> list) {
        jsonObject.add(name, JsonObject.StringList.of(list));
      } else if (value == Ignored.FRACTION) {
        jsonObject.addNonInteger(name, "a fraction");
      } else if (value == Ignored.OUT_OF_RANGE) {
        jsonObject.addNonInteger(name, "a number out of range");
      } else if (value != Ignored.VALUE) {
        jsonObject.add(name, value);
      }
      skipSpace();
    } while (accept(','));
    expect('}');
    return jsonObject;
  }

  /// Behind its `[`.
  private List<Object> list(int depth) {
    List<Object> values = new ArrayList<>();
    skipSpace();
    if (accept(']')) {
      return values;
    }
    do {
      values.add(value(depth));
      skipSpace();
    } while (accept(','));
    expect(']');
    return values;
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH) {
      throw notJson("deeper than " + MAX_DEPTH);
    }
    skipSpace();
    if (accept('"')) {
      return string();
    }
    if (accept('{')) {
      return object(depth + 1);
    }
    if (accept('[')) {
      return list(depth + 1);
    }
    if (accept("true")) {
      return true;
    }
    if (accept("false")) {
      return false;
    }
    return accept("null") ? Ignored.VALUE : number();
  }

  private Object number() {
    int from = at;
    accept('-');
    if (!accept('0')) {
      digits();
    }
    int whole = at;
    if (accept('.')) {
      digits();
    }
    if (accept('e') || accept('E')) {
      if (!accept('+')) {
        accept('-');
      }
      digits();
    }
    if (at > whole) {
      return Ignored.FRACTION;
    }
    try {
      return Long.parseLong(text, from, at, 10);
    } catch (NumberFormatException _) {
      return Ignored.OUT_OF_RANGE;
    }
  }

  private void digits() {
    int from = at;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    if (at == from) {
      throw notJson("expected a value");
    }
  }

  private static boolean isDigit(char it) {
    return it >= '0' && it <= '9';
  }

  /// Behind its first quotation mark.
  private String string() {
    int from = at;
    while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\') {
      plain();
    }
    if (accept('"')) {
      return text.substring(from, at - 1);
    }
    var whole = new StringBuilder(text.substring(from, at));
    while (!accept('"')) {
      whole.append(accept('\\') ? escaped() : plain());
    }
    return whole.toString();
  }

  private char plain() {
    char it = next();
    if (it < ' ') {
      throw notJson("a control character in a text");
    }
    return it;
  }

  private char escaped() {
    char it = next();
    return switch (it) {
      case '"', '\\', '/' -> it;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unit();
      default -> throw notJson("no escape");
    };
  }

  private char unit() {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      char it = next();
      int digit = it < 128 ? Character.digit(it, 16) : -1;
      if (digit < 0) {
        throw notJson("expected four hexadecimal digits");
      }
      unit = unit << 4 | digit;
    }
    return (char) unit;
  }

  private char next() {
    if (at == text.length()) {
      throw notJson("it ends too early");
    }
    return text.charAt(at++);
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean accept(char wanted) {
    boolean takes = at < text.length() && text.charAt(at) == wanted;
    if (takes) {
      at++;
    }
    return takes;
  }

  private boolean accept(String word) {
    boolean takes = text.startsWith(word, at);
    if (takes) {
      at += word.length();
    }
    return takes;
  }

  private void expect(char wanted) {
    if (!accept(wanted)) {
      throw notJson("expected " + wanted);
    }
  }

  private MalformedMessage notJson(String why) {
    return new MalformedMessage("message: not JSON, " + why + " at character " + (at + 1));
  }

  /// A value of a kind that no message has.
  private enum Ignored {
    VALUE,
    FRACTION,
    OUT_OF_RANGE
  }
}
