package dev.uplift.api.call;

import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.json.Wrong;
import java.util.regex.Pattern;
import tools.jackson.databind.node.StringNode;

/// What labels of devices may be called, and have as their values.
public final class Labels {
  private static final int VALUE_CHARS = 63;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");

  /// No comma, for a selector has one between two labels.
  public static final Shape<String> VALUE =
      Shapes.text(VALUE_CHARS)
          .then(text -> {
            if (text.contains(",")) {
              throw Wrong.because("expected a text without a comma");
            }
            return text;
          });

  private Labels() {}

  /// The name of a label, checked.
  ///
  /// @throws Wrong if it cannot be one
  public static String check(String name) throws Wrong {
    if (!NAME.matcher(name).matches()) {
      throw Wrong.because("label '%s' is not ^%s$".formatted(name, NAME.pattern()));
    }
    return name;
  }

  /// Refuses a label and a value that stand in a path and that no device can have.
  public static void checkInPath(String name, String value) {
    try {
      check(name);
    } catch (Wrong e) {
      throw Call.wrong("label", e.detail());
    }
    try {
      VALUE.read(StringNode.valueOf(value));
    } catch (Wrong e) {
      throw Call.wrong("value", e.detail());
    }
  }
}
