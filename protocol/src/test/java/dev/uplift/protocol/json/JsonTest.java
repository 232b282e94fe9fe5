package dev.uplift.protocol.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// Compares our reader and writer with Jackson's.
final class JsonTest {
  private static final JsonFactory KNOWN = new JsonFactory();
  private static final int ROUNDS = 200_000;
  private static final String PIECES = "{}[],:\"\\/ \t\nu0aé€😀-+.eE123ntfrb\u0001\u007f";

  private static final List<String> WELL =
      List.of(
          "{}",
          " {\t\"a\" :\r\n\"b\" } ",
          "{\"a\":\"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\\"\\\\\"}",
          "{\"a\":0,\"b\":-0,\"c\":-12,\"d\":9223372036854775807,\"e\":1.5,\"f\":1e9,\"g\":-0.0E+1,\"h\":9223372036854775808}",
          "{\"a\":null,\"b\":true,\"c\":false,\"a\":\"once more\"}",
          "{\"a\":[],\"b\":[\"x\",1,[\"y\"],{\"z\":2},null],\"c\":{\"d\":{\"e\":{}}}}",
          "{\"é€😀\":\"é€😀\"}");

  private static final List<String> ILL =
      List.of(
          "",
          "{",
          "}",
          "{]",
          "[",
          "{\"a\"}",
          "{\"a\":}",
          "{\"a\":1,}",
          "{,\"a\":1}",
          "{a:1}",
          "{'a':1}",
          "{\"a\":1 \"b\":2}",
          "{\"a\":01}",
          "{\"a\":+1}",
          "{\"a\":-}",
          "{\"a\":1.}",
          "{\"a\":.5}",
          "{\"a\":1e}",
          "{\"a\":nul}",
          "{\"a\":True}",
          "{\"a\":\"\\x\"}",
          "{\"a\":\"\\u12g4\"}",
          "{\"a\":\"\\u12\"}",
          "{\"a\":\"",
          "{\"a\":\"\n\"}",
          "{\"a\":[1,]}",
          "{\"a\":[1}",
          "{}{}",
          "{} x",
          "{\"a\":1x}",
          "{\"a\":tru\"e\"}",
          "//\n{}",
          "{\"a\":NaN}");

  @Test
  void validJsonIsRead() {
    for (String each : WELL) {
      JsonObject.parse(each.getBytes(UTF_8));
      assertThat(isKnownAsWell(each.getBytes(UTF_8))).as(each).isTrue();
    }
  }

  @Test
  void invalidJsonIsRejected() {
    for (String each : ILL) {
      assertThatThrownBy(() -> JsonObject.parse(each.getBytes(UTF_8)))
          .as(each)
          .isInstanceOf(MalformedMessage.class)
          .hasMessageStartingWith("message: ");
    }
  }

  @Test
  void invalidUtf8IsRejected() {
    byte[] json = "{\"a\":\"?\"}".getBytes(UTF_8);
    for (int ill : new int[] {0x80, 0xC0, 0xE9, 0xFF}) {
      json[6] = (byte) ill;
      assertThatThrownBy(() -> JsonObject.parse(json)).hasMessageContaining("not UTF-8");
    }
  }

  @Test
  void tooDeepNestingIsRejected() {
    String deep = "{\"a\":" + "[".repeat(100_000);

    assertThatThrownBy(() -> JsonObject.parse(deep.getBytes(UTF_8))).hasMessageContaining("deeper than");
  }

  /// Corrupts texts pseudo-randomly, with a fixed seed.
  @Test
  void bothReadersAcceptTheSameTexts() {
    var random = new Random(7);
    for (int round = 0; round < ROUNDS; round++) {
      var text = new StringBuilder(WELL.get(random.nextInt(WELL.size())));
      for (int i = random.nextInt(3); i >= 0; i--) {
        int at = random.nextInt(text.length() + 1);
        int piece = PIECES.offsetByCodePoints(0, random.nextInt(PIECES.codePointCount(0, PIECES.length())));
        String put = Character.toString(PIECES.codePointAt(piece));
        text.replace(at, Math.min(text.length(), at + random.nextInt(3)), random.nextInt(4) == 0 ? "" : put);
      }
      byte[] json = text.toString().getBytes(UTF_8);
      assertThat(isOursWell(json)).as(text.toString()).isEqualTo(isKnownAsWell(json));
    }
  }

  @Test
  void bothWritersProduceTheSameBytes() {
    var random = new Random(7);
    for (int round = 0; round < 20_000; round++) {
      String text = some(random);
      var texts = new TreeMap<>(Map.of(text, "x", "y", text));
      byte[] ours =
          JsonWriter.toBytes(
              out -> out.put(text, text).put("list", List.of(text, "b")).put("of", texts).put("n", -7L).put("f", true));

      assertThat(ours).isEqualTo(known(text, texts));
      assertThat(JsonObject.parse(ours).stringListOr("list", List.of())).containsExactly(text, "b");
    }
  }

  private static String some(Random random) {
    var text = new StringBuilder(random.nextBoolean() ? "😀/" : "-");
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append((char) random.nextInt(300));
    }
    return text.toString();
  }

  private static byte[] known(String text, SortedMap<String, String> texts) {
    var known = new ByteArrayOutputStream();
    try (JsonGenerator out = KNOWN.createGenerator(ObjectWriteContext.empty(), known)) {
      out.writeStartObject();
      out.writeStringProperty(text, text);
      out.writeArrayPropertyStart("list");
      out.writeString(text);
      out.writeString("b");
      out.writeEndArray();
      out.writeObjectPropertyStart("of");
      texts.forEach(out::writeStringProperty);
      out.writeEndObject();
      out.writeNumberProperty("n", -7L);
      out.writeBooleanProperty("f", true);
      out.writeEndObject();
    }
    return known.toByteArray();
  }

  private static boolean isOursWell(byte[] json) {
    try {
      JsonObject.parse(json);
      return true;
    } catch (MalformedMessage e) {
      // JSON allows duplicate fields, our messages do not. The rest of the text is not read.
      return String.valueOf(e.getMessage()).endsWith("found twice") && isKnownAsWell(json);
    }
  }

  private static boolean isKnownAsWell(byte[] json) {
    try (JsonParser parser = KNOWN.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      int depth = 1;
      while (depth > 0) {
        switch (parser.nextToken()) {
          case START_OBJECT, START_ARRAY -> depth++;
          case END_OBJECT, END_ARRAY -> depth--;
          case VALUE_STRING -> parser.getString();
          default -> {}
        }
      }
      return parser.nextToken() == null;
    } catch (JacksonException _) {
      return false;
    }
  }
}
