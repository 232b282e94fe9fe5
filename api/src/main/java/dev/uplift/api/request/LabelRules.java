package dev.uplift.api.request;

import dev.uplift.api.json.InvalidValue;
import dev.uplift.api.json.ValueReader;
import dev.uplift.api.json.ValueReaders;
import java.util.regex.Pattern;
import tools.jackson.databind.node.StringNode;

/// What labels of devices may be called, and have as their values.
public final class LabelRules {
  private static final int MAX_VALUE_CHARS = 63;
  private static final Pattern NAME_PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");

  /// No comma, for a selector has one between two labels.
  public static final ValueReader<String> VALUE_READER =
      ValueReaders.text(MAX_VALUE_CHARS)
          .then(text -> {
            if (text.contains(",")) {
              throw InvalidValue.of("expected a text without a comma");
            }
            return text;
          });

  private LabelRules() {}

  /// The name of a label, checked.
  ///
  /// @throws InvalidValue if it cannot be one
  public static String requireValidName(String name) throws InvalidValue {
    if (!NAME_PATTERN.matcher(name).matches()) {
      throw InvalidValue.of("label '%s' is not ^%s$".formatted(name, NAME_PATTERN.pattern()));
    }
    return name;
  }

  /// Refuses a label and a value that stand in a path and that no device can have.
  public static void requireValidPath(String name, String value) {
    try {
      requireValidName(name);
    } catch (InvalidValue e) {
      throw RequestContext.invalidParameter("label", e.detail());
    }
    try {
      VALUE_READER.read(StringNode.valueOf(value));
    } catch (InvalidValue e) {
      throw RequestContext.invalidParameter("value", e.detail());
    }
  }
}
