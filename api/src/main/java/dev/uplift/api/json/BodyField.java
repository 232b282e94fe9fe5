package dev.uplift.api.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.NameRule;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// A component of a request body: its field in JSON, whether that may be absent, and how a plain value of it is read.
///
/// @param owner the record
record BodyField(Class<?> owner, Argument<?> argument, RecordComponent component) {
  private static final int MAX_ELEMENTS = 64;
  private static final int MAX_CHARS = 2000;

  String name() {
    JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
    return property == null ? NameUtils.hyphenate(argument.getName()).replace('-', '_') : property.value();
  }

  boolean isCommaSeparated() {
    return component.isAnnotationPresent(CommaSeparated.class);
  }

  boolean isRequired() {
    return absent() == null
        && standard().isEmpty()
        && !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  /// The default.
  Optional<JsonNode> standard() {
    var metadata = argument.getAnnotationMetadata();
    if (!metadata.hasAnnotation(Bindable.class)) {
      return Optional.empty();
    }
    // An empty default is that of the annotation, which does not keep it.
    String text = metadata.stringValue(Bindable.class, "defaultValue").orElse("");
    Class<?> type = argument.getType();
    return Optional.of(
        type == String.class || type.isEnum() || type == ZoneId.class
            ? StringNode.valueOf(text)
            : RequestBinder.parse(text.getBytes(StandardCharsets.UTF_8)));
  }

  /// The value of a component that is absent, or wrong, and has no default.
  @Nullable Object absent() {
    Class<?> type = argument.getType();
    if (type == Optional.class) {
      return Optional.empty();
    }
    return type == Patch.class ? new Patch<>(false, Optional.empty()) : null;
  }

  /// A value without parts.
  ///
  /// @param element its type, with its constraints
  /// @throws IllegalArgumentException if it is wrong
  Object plainValue(Argument<?> element, JsonNode json) {
    Class<?> type = element.getType();
    if (type == String.class) {
      return text(element, json);
    }
    if (type == boolean.class || type == Boolean.class) {
      return ValueReaders.bool(json);
    }
    if (type == int.class || type == Integer.class) {
      return ValueReaders.integer(
          json,
          number(element, Min.class, "value", Integer.MIN_VALUE),
          number(element, Max.class, "value", Integer.MAX_VALUE));
    }
    String text = ValueReaders.text(json, MAX_CHARS);
    if (type.isEnum()) {
      return ValueReaders.enumWord((Enum<?>[]) type.getEnumConstants(), text);
    }
    if (type == Instant.class) {
      return ValueReaders.instant(text);
    }
    if (type == ZoneId.class) {
      return ValueReaders.zone(text);
    }
    if (type == HostId.class) {
      return new HostId(text);
    }
    throw new IllegalStateException("%s of %s cannot be read".formatted(type, owner));
  }

  private String text(Argument<?> type, JsonNode json) {
    int most = number(type, Size.class, "max", MAX_CHARS);
    TextForm form = component.getAnnotation(TextForm.class);
    if (form != null) {
      return switch (form.value()) {
        case EXACT -> ValueReaders.exactText(json);
        case MULTILINE -> ValueReaders.multilineText(json, most);
      };
    }
    String text = ValueReaders.text(json, most);
    if (type.getAnnotationMetadata().hasAnnotation(NotBlank.class)) {
      if (PlainText.isBlank(text)) {
        throw new IllegalArgumentException("expected a text that is not empty");
      }
      return text.strip();
    }
    NameOf rule = component.getAnnotation(NameOf.class);
    if (rule != null && !rule.value().isValid(text)) {
      throw invalidName(rule.value(), text);
    }
    return text;
  }

  private static IllegalArgumentException invalidName(NameRule rule, String text) {
    return new IllegalArgumentException("expected a name like %s, found \"%s\"".formatted(rule.pattern(), text));
  }

  /// Refuses a list or a map with too few or too many elements.
  ///
  /// @param type of the list or map, with its `@Size`
  static void requireListSize(Argument<?> type, int size) {
    int least = number(type, Size.class, "min", 0);
    int most = number(type, Size.class, "max", MAX_ELEMENTS);
    if (size < least || size > most) {
      throw new IllegalArgumentException("expected %d to %d items, found %d".formatted(least, most, size));
    }
  }

  static void requireMapSize(Argument<?> type, int size) {
    int most = number(type, Size.class, "max", MAX_ELEMENTS);
    if (size > most) {
      throw new IllegalArgumentException("expected at most %d entries, found %d".formatted(most, size));
    }
  }

  private static int number(
      Argument<?> type, Class<? extends java.lang.annotation.Annotation> constraint, String member, int otherwise) {
    return type.getAnnotationMetadata().intValue(constraint, member).orElse(otherwise);
  }
}
