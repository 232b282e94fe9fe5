package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// A wave in one word or a few: `10%`, `1,spread=store,soak=3600`, `rest,gate=approval`.
final class WaveText {
  private static final Map<String, String> TEXTS =
      Map.of("spread", "spread_over", "gate", "gate", "not-before", "not_before");
  private static final Map<String, String> NUMBERS =
      Map.of("soak", "soak_s", "parallel", "max_parallel");

  /// Also what is before it, which may be an expression with commas of its own.
  private static final Pattern MORE =
      Pattern.compile("(.*),(spread|gate|not-before|soak|parallel)=([^,]*)", Pattern.DOTALL);

  private WaveText() {}

  static ObjectNode read(String text) {
    ObjectNode wave = Rest.JSON.createObjectNode();
    String size = text.strip();
    for (Matcher more = MORE.matcher(size); more.matches(); more = MORE.matcher(size)) {
      add(wave, more.group(2), more.group(3));
      size = more.group(1).strip();
    }
    return size(size).setAll(wave);
  }

  private static void add(ObjectNode wave, String key, String value) {
    if (TEXTS.containsKey(key)) {
      wave.put(TEXTS.get(key), value);
      return;
    }
    try {
      wave.put(NUMBERS.get(key), Long.parseLong(value));
    } catch (NumberFormatException e) {
      throw new CommandFailed(
          CommandFailed.USAGE, "--wave: expected %s=NUMBER, found %s".formatted(key, value), e);
    }
  }

  private static ObjectNode size(String size) {
    ObjectNode wave = Rest.JSON.createObjectNode();
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
        ? wave.put("per_label", size.substring("per:".length()))
        : wave.put("expression", size);
  }
}
