package dev.uplift.cli.rollout;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Parses and formats a wave: `10%`, `1,spread=store,soak=3600`, `rest,gate=approval`.
final class WaveParser {
  private static final Map<String, String> TEXT_FIELDS =
      Map.of("spread", "spread_by_label", "gate", "gate", "not-before", "not_before");
  private static final Map<String, String> NUMBER_FIELDS =
      Map.of("soak", "soak_seconds", "max-parallel", "max_parallel");

  /// The last field, and all before it, which may be an expression with commas.
  private static final Pattern SUFFIX =
      Pattern.compile("(.*),(spread|gate|not-before|soak|max-parallel)=([^,]*)", Pattern.DOTALL);

  private WaveParser() {}

  static ObjectNode parse(String text) {
    ObjectNode wave = RestClient.JSON.createObjectNode();
    String size = text.strip();
    for (Matcher more = SUFFIX.matcher(size); more.matches(); more = SUFFIX.matcher(size)) {
      addField(wave, more.group(2), more.group(3));
      size = more.group(1).strip();
    }
    return parseSize(size).setAll(wave);
  }

  /// Formats a wave of a response as it can be parsed again. The usual gate and no soak are left out.
  static String format(JsonNode wave) {
    StringBuilder text = new StringBuilder(formatSize(wave));
    appendField(text, wave, "spread", "spread_by_label", "");
    appendField(text, wave, "gate", "gate", "automatic");
    appendField(text, wave, "not-before", "not_before", "");
    appendField(text, wave, "soak", "soak_seconds", "0");
    appendField(text, wave, "max-parallel", "max_parallel", "");
    return text.toString();
  }

  private static String formatSize(JsonNode wave) {
    if (wave.has("count")) {
      return wave.path("count").asString();
    }
    if (wave.has("percent")) {
      return wave.path("percent").asString() + "%";
    }
    if (wave.has("each_value_of")) {
      return "per:" + wave.path("each_value_of").asString();
    }
    return wave.has("expression") ? wave.path("expression").asString() : "rest";
  }

  private static void appendField(StringBuilder text, JsonNode wave, String key, String field, String usual) {
    String value = wave.path(field).asString("");
    if (!value.isEmpty() && !value.equals(usual)) {
      text.append(',').append(key).append('=').append(value);
    }
  }

  private static void addField(ObjectNode wave, String key, String value) {
    if (TEXT_FIELDS.containsKey(key)) {
      wave.put(TEXT_FIELDS.get(key), value);
      return;
    }
    try {
      wave.put(NUMBER_FIELDS.get(key), Long.parseLong(value));
    } catch (NumberFormatException e) {
      throw new CliException(CliException.USAGE, "--wave: expected %s=NUMBER, found %s".formatted(key, value), e);
    }
  }

  private static ObjectNode parseSize(String size) {
    ObjectNode wave = RestClient.JSON.createObjectNode();
    if (size.equals("rest")) {
      return wave.put("rest", true);
    }
    if (size.matches("[0-9]{1,9}")) {
      return wave.put("count", Integer.parseInt(size));
    }
    if (size.matches("[0-9]{1,9}%")) {
      return wave.put("percent", Integer.parseInt(size, 0, size.length() - 1, 10));
    }
    return size.startsWith("per:")
        ? wave.put("each_value_of", size.substring("per:".length()))
        : wave.put("expression", size);
  }
}
