package dev.uplift.api.request;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.PlainText;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The rules for labels of devices.
public final class LabelRules {
  private static final int MAX_VALUE_CHARS = 63;
  private static final Pattern NAME_PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");

  private LabelRules() {}

  /// Returns the name of a label.
  ///
  /// @throws IllegalArgumentException if it is invalid
  public static String requireValidName(String name) {
    if (!NAME_PATTERN.matcher(name).matches()) {
      throw new IllegalArgumentException("label '%s' is not ^%s$".formatted(name, NAME_PATTERN.pattern()));
    }
    return name;
  }

  /// Commas separate the labels of a selector.
  private static String requireValidValue(String value) {
    if (value.codePointCount(0, value.length()) > MAX_VALUE_CHARS) {
      throw new IllegalArgumentException("expected at most " + MAX_VALUE_CHARS + " characters");
    }
    PlainText.requireOneLine(value);
    if (value.contains(",")) {
      throw new IllegalArgumentException("expected a text without a comma");
    }
    return value;
  }

  /// Reports invalid labels in the field `labels` of a body.
  public static void check(BodyErrors errors, @Nullable Map<String, String> labels) {
    if (labels == null) {
      return;
    }
    labels.forEach((name, value) ->
        errors.check("/labels/" + BodyErrors.escapePointer(name), value, LabelRules::requireValidValue));
    labels.keySet().forEach(name -> errors.check("/labels", name, LabelRules::requireValidName));
  }

  /// Refuses a label and a value in a path that no device can have.
  public static void requireValidPath(String name, String value) {
    var _ = RequestContext.parse("label", () -> requireValidName(name));
    var _ = RequestContext.parse("value", () -> requireValidValue(value));
  }
}
