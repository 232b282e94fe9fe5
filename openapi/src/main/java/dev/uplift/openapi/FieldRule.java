package dev.uplift.openapi;

import static java.util.Objects.requireNonNullElse;

import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.webhook.EventFilter;
import dev.uplift.fleet.webhook.ReceiverUrl;
import dev.uplift.fleet.window.Window;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.PropertyElement;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A rule for a field of a request that micronaut-openapi does not find: the characters and the length of texts, and
/// the size of lists and maps, as `BodyField` and `PlainText` in `api` check them.
///
/// @param pattern of the texts in it, if they have one of their own
/// @param excluded the characters that its other texts do not have; empty if every one counts
/// @param max how long its text, its list or its map is at most
@SuppressWarnings("rawtypes") // As the models of Swagger have them.
record FieldRule(Optional<String> pattern, String excluded, boolean isNeverBlank, Optional<Integer> max) {
  private static final String JSON = "dev.uplift.api.json.";
  private static final String CONSTRAINTS = "jakarta.validation.constraints.";
  private static final int MAX_CHARS = 2000;
  private static final int MAX_ITEMS = 64;

  /// Line and paragraph separators, what changes the direction of a text, and what stands for nothing.
  private static final String UNPRINTABLE =
      "\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069\\ufdd0-\\ufdef\\ufffe\\uffff";

  private static final String CONTROL = "\\u0000-\\u001f" + UNPRINTABLE;
  private static final String CONTROL_BUT_LINE_ENDS = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f" + UNPRINTABLE;

  private static final String LABEL = "^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$";
  private static final int MAX_LABEL_VALUE_CHARS = 63;
  private static final String ZONE = "^[A-Za-z][A-Za-z0-9+/_-]{0,63}$";
  private static final String DAY = "(mon(day)?|tue(sday)?|wed(nesday)?|thu(rsday)?|fri(day)?|sat(urday)?|sun(day)?)";
  private static final String DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";

  private static final Map<String, String> PATTERNS =
      Map.of(
          "daysOfWeek",
          "^" + DAY + "$",
          "startTime",
          "^([01][0-9]|2[0-3]):[0-5][0-9]$",
          "timezone",
          ZONE,
          "duration",
          "^(P[0-9DTHMS.]{2,30}|[0-9]{1,5}d([0-9]{1,5}h)?([0-9]{1,5}m)?|[0-9]{1,5}h([0-9]{1,5}m)?|[0-9]{1,5}m)$",
          "blackoutDates",
          "^" + DATE + "(/" + DATE + ")?$",
          "url",
          ReceiverUrl.PATTERN,
          "events",
          EventFilter.PATTERN);

  static FieldRule of(PropertyElement field) {
    ClassElement held = field.getType().getFirstTypeArgument().orElse(field.getType());
    return new FieldRule(
        pattern(field, held), excluded(field), field.hasAnnotation(CONSTRAINTS + "NotBlank"), max(field));
  }

  private static Optional<Integer> max(PropertyElement field) {
    // Where they may be left out or removed, the constraint is that of a type argument, which is not seen here.
    return field.getName().equals("windows")
        ? Optional.of(Window.MAX_WINDOWS)
        : field.intValue(CONSTRAINTS + "Size", "max").stream().boxed().findFirst();
  }

  private static Optional<String> pattern(PropertyElement field, ClassElement held) {
    return switch (held.getName()) {
      case "java.time.ZoneId" -> Optional.of(ZONE);
      case "dev.uplift.fleet.HostId" -> Optional.of(NameRule.HOST.pattern());
      default ->
          Optional.ofNullable(PATTERNS.get(field.getName()))
              .or(() -> field.stringValue(JSON + "NameOf").map(rule -> NameRule.valueOf(rule).pattern()));
    };
  }

  private static String excluded(PropertyElement field) {
    return switch (field.stringValue(JSON + "TextForm").orElse("")) {
      case "EXACT" -> "";
      case "MULTILINE" -> CONTROL_BUT_LINE_ENDS;
      default -> field.getName().equals("labels") ? "," + CONTROL : CONTROL;
    };
  }

  void apply(Schema<?> field) {
    restrict(field, max.orElse(MAX_CHARS));
    if (field.getAllOf() != null) {
      field.getAllOf().forEach(this::apply);
    }
    if (field.getItems() != null) {
      field.setMaxItems(requireNonNullElse(field.getMaxItems(), max.orElse(MAX_ITEMS)));
      restrict(field.getItems(), MAX_CHARS);
    }
    if (field.getAdditionalProperties() instanceof Schema<?> values) {
      boolean isLabels = excluded.startsWith(",");
      field.setMaxProperties(max.orElse(MAX_ITEMS));
      field.setPropertyNames(isLabels ? new Schema<>().pattern(LABEL) : null);
      restrict(values, isLabels ? MAX_LABEL_VALUE_CHARS : MAX_CHARS);
    }
  }

  private void restrict(Schema<?> text, int maxChars) {
    if (!isPlainText(text)) {
      return;
    }
    if (pattern.isPresent()) {
      // A list that may also be one text has the texts of its items in it.
      text.setPattern(
          text.getItems() == null
              ? pattern.get()
              : separatedByCommas(pattern.get(), requireNonNullElse(text.getMaxItems(), max.orElse(MAX_ITEMS))));
    } else if (!excluded.isEmpty()) {
      boolean isBlankRefused = isNeverBlank || requireNonNullElse(text.getMinLength(), 0) > 0;
      text.setPattern(isBlankRefused ? notBlank() : "^[^" + excluded + "]*$");
      text.setMaxLength(requireNonNullElse(text.getMaxLength(), maxChars));
    }
  }

  private String notBlank() {
    return "^[^%1$s]*[^\\s%1$s][^%1$s]*$".formatted(excluded);
  }

  private static String separatedByCommas(String pattern, int max) {
    String one = pattern.substring(1, pattern.length() - 1);
    return "^%1$s( ?, ?%1$s){0,%2$d}$".formatted(one, max - 1);
  }

  private static boolean isPlainText(@Nullable Schema<?> schema) {
    return schema != null
        && schema.getTypes() != null
        && schema.getTypes().contains("string")
        && schema.getEnum() == null
        && schema.getFormat() == null
        && schema.getPattern() == null;
  }
}
