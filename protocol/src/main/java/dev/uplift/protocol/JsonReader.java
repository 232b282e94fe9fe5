package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;

/// Reads one JSON object of UTF-8 as RFC 8259 has it, and nothing but that. What is of no kind that
/// a message has (`null`, fractions, lists in lists) is checked and left out.
///
/// Not a library: what an agent keeps in memory of Jackson's parser is 3 MiB.
final class JsonReader {
  private static final int DEEPEST = 64;

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  static Fields read(byte[] json) {
    JsonReader reader;
    try {
      reader = new JsonReader(UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString());
    } catch (CharacterCodingException _) {
      throw new MalformedMessage("message: not JSON, for it is not UTF-8");
    }
    reader.skipSpace();
    if (!reader.takes('{')) {
      throw new MalformedMessage("message: expected a JSON object");
    }
    Fields fields = reader.object(1);
    reader.skipSpace();
    if (reader.at < reader.text.length()) {
      throw new MalformedMessage("message: expected nothing after the JSON object");
    }
    return fields;
  }

  /// Behind its `{`.
  private Fields object(int depth) {
    var fields = new Fields();
    skipSpace();
    if (takes('}')) {
      return fields;
    }
    do {
      skipSpace();
      expect('"');
      String name = string();
      skipSpace();
      expect(':');
      Object value = value(depth);
      if (value instanceof List<?> list) {
        fields.add(name, Fields.Texts.of(list));
      } else if (value != Nothing.NOTHING) {
        fields.add(name, value);
      }
      skipSpace();
    } while (takes(','));
    expect('}');
    return fields;
  }

  /// Behind its `[`.
  private List<Object> list(int depth) {
    List<Object> values = new ArrayList<>();
    skipSpace();
    if (takes(']')) {
      return values;
    }
    do {
      values.add(value(depth));
      skipSpace();
    } while (takes(','));
    expect(']');
    return values;
  }

  private Object value(int depth) {
    if (depth > DEEPEST) {
      throw notJson("deeper than " + DEEPEST);
    }
    skipSpace();
    if (takes('"')) {
      return string();
    }
    if (takes('{')) {
      return object(depth + 1);
    }
    if (takes('[')) {
      return list(depth + 1);
    }
    if (takes("true")) {
      return true;
    }
    if (takes("false")) {
      return false;
    }
    return takes("null") ? Nothing.NOTHING : number();
  }

  private Object number() {
    int from = at;
    takes('-');
    if (!takes('0')) {
      digits();
    }
    int whole = at;
    if (takes('.')) {
      digits();
    }
    if (takes('e') || takes('E')) {
      if (!takes('+')) {
        takes('-');
      }
      digits();
    }
    if (at > whole) {
      return Nothing.NOTHING;
    }
    try {
      return Long.parseLong(text, from, at, 10);
    } catch (NumberFormatException _) {
      throw notJson("a number out of range");
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
    if (takes('"')) {
      return text.substring(from, at - 1);
    }
    var whole = new StringBuilder(text.substring(from, at));
    while (!takes('"')) {
      whole.append(takes('\\') ? escaped() : plain());
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

  private boolean takes(char wanted) {
    boolean takes = at < text.length() && text.charAt(at) == wanted;
    if (takes) {
      at++;
    }
    return takes;
  }

  private boolean takes(String word) {
    boolean takes = text.startsWith(word, at);
    if (takes) {
      at += word.length();
    }
    return takes;
  }

  private void expect(char wanted) {
    if (!takes(wanted)) {
      throw notJson("expected " + wanted);
    }
  }

  private MalformedMessage notJson(String why) {
    return new MalformedMessage("message: not JSON, " + why + " at character " + (at + 1));
  }

  /// What is there and of no kind that we know.
  private enum Nothing {
    NOTHING
  }
}
