package dev.uplift.api.json;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.type.Argument;
import io.micronaut.validation.validator.Validator;
import jakarta.inject.Singleton;
import java.lang.reflect.RecordComponent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Binds JSON to a [RequestBody] and reports everything that is wrong with it at once: unknown fields, wrong types,
/// missing fields, violated constraints. A data binder stops at the first wrong type and validates only what it could
/// bind (`docs/decisions/0070-request-bodies.md`).
@Singleton
public final class RequestBinder {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Validator validator;
  private final InstantSource clock;

  public RequestBinder(Validator validator, InstantSource clock) {
    this.validator = validator;
    this.clock = clock;
  }

  /// The record of the JSON object in these bytes.
  ///
  /// @throws ProblemException with all that is wrong
  public <B extends RequestBody> B bind(Class<B> type, byte[] bytes) {
    JsonNode json = parse(bytes);
    if (json instanceof ObjectNode object) {
      return bind(type, object);
    }
    throw refusal(message(ValueReaders.unexpected("a JSON object", json)));
  }

  /// The record of a JSON object.
  ///
  /// @throws ProblemException with all that is wrong
  public <B extends RequestBody> B bind(Class<B> type, ObjectNode json) {
    if (type == MergePatch.class) {
      return type.cast(new MergePatch(json));
    }
    BodyErrors errors = new BodyErrors();
    B body = object(type, json, errors);
    errors.throwIfAny();
    return body;
  }

  static JsonNode parse(byte[] bytes) {
    try {
      return MAPPER.readTree(bytes);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String place = at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
      throw refusal("not JSON%s: %s".formatted(place, reason(e)));
    }
  }

  /// The parser's words, without its own places and settings.
  private static String reason(JacksonException e) {
    String words = e.getOriginalMessage().lines().findFirst().orElse("");
    if (e instanceof StreamConstraintsException) {
      return words.contains("nesting")
          ? "objects and lists are nested more than %d deep".formatted(StreamReadConstraints.DEFAULT_MAX_DEPTH)
          : "a number or a name is too long";
    }
    return words.replaceAll("\\[Source: [^\\]]*line: (\\d+), column: (\\d+)]", "line $1, column $2");
  }

  private static ProblemException refusal(String detail) {
    return ProblemException.badRequest(RequestError.atPointer("", detail));
  }

  private static String message(IllegalArgumentException e) {
    return String.valueOf(e.getMessage());
  }

  private <B> B object(Class<B> type, JsonNode json, BodyErrors errors) {
    if (!(json instanceof ObjectNode object)) {
      errors.add("", message(ValueReaders.unexpected("an object", json)));
      return object(type, MAPPER.createObjectNode(), errors);
    }
    BeanIntrospection<B> introspection = BeanIntrospection.getIntrospection(type);
    Argument<?>[] arguments = introspection.getConstructorArguments();
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new Object[arguments.length];
    Set<String> known = new LinkedHashSet<>();
    for (int i = 0; i < arguments.length; i++) {
      BodyField field = new BodyField(type, arguments[i], components[i]);
      if (arguments[i].getType() == ObjectNode.class) {
        values[i] = object;
      } else {
        known.add(field.name());
        values[i] = read(field, object.get(field.name()), errors.under(field.name()));
      }
    }
    B body = introspection.instantiate(false, values);
    if (body instanceof RequestBody request) {
      request.check(errors, clock.instant());
    }
    addUnknownFields(object, known, errors);
    return body;
  }

  private static void addUnknownFields(ObjectNode object, Set<String> known, BodyErrors errors) {
    for (String name : object.propertyNames()) {
      if (!known.contains(name)) {
        String detail = "unknown field; expected one of " + String.join(", ", known);
        errors.under(name).add("", known.isEmpty() ? "no fields are expected" : detail);
      }
    }
  }

  /// The value of a field; its default, or what stands for absence, if it is absent or wrong.
  private @Nullable Object read(BodyField field, @Nullable JsonNode json, BodyErrors errors) {
    if (json == null) {
      if (field.isRequired()) {
        errors.add("", "is missing: " + field.name() + " is required");
      }
      return absent(field);
    }
    try {
      Object value = value(field, field.argument(), json, errors);
      if (value == null) {
        return absent(field);
      }
      // Of a text all is checked; the constraint of its length would count UTF-16 units instead of characters.
      if (!(value instanceof Patch || value instanceof String)) {
        validator
            .validateValue(field.owner(), field.argument().getName(), value)
            .forEach(violation -> errors.add("", violation.getMessage()));
      }
      return value;
    } catch (IllegalArgumentException e) {
      errors.add("", message(e));
      return absent(field);
    }
  }

  private @Nullable Object absent(BodyField field) {
    Optional<JsonNode> standard = field.standard();
    return standard.isPresent() ? value(field, field.argument(), standard.get(), new BodyErrors()) : field.absent();
  }

  /// The value of a field, or of a part of it.
  ///
  /// Faults inside it are added to `errors`. Objects are bound as far as they can be; a list or a map with a wrong
  /// plain value is `null`.
  ///
  /// @throws IllegalArgumentException if the value itself is wrong
  private @Nullable Object value(BodyField field, Argument<?> type, JsonNode json, BodyErrors errors) {
    Class<?> raw = type.getType();
    if (raw == Optional.class || raw == Patch.class) {
      Argument<?> inner = type.getFirstTypeVariable().orElseThrow();
      Optional<Object> value =
          json.isNull() ? Optional.empty() : Optional.ofNullable(value(field, inner, json, errors));
      return raw == Patch.class ? new Patch<>(true, value) : value;
    }
    if (RequestBody.class.isAssignableFrom(raw)) {
      return object(raw, json, errors);
    }
    if (List.class.isAssignableFrom(raw)) {
      return list(field, type, json, errors);
    }
    if (Map.class.isAssignableFrom(raw)) {
      return map(field, type, json, errors);
    }
    return field.plainValue(type, json);
  }

  private @Nullable List<Object> list(BodyField field, Argument<?> type, JsonNode json, BodyErrors errors) {
    JsonNode list = json.isString() && field.isCommaSeparated() ? separated(json.stringValue()) : json;
    if (!list.isArray()) {
      throw ValueReaders.unexpected("a list", json);
    }
    BodyField.requireListSize(type, list.size());
    Argument<?> itemType = type.getFirstTypeVariable().orElseThrow();
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      element(field, itemType, list.get(i), errors.under(String.valueOf(i))).ifPresent(items::add);
    }
    return items.size() == list.size() ? items : null;
  }

  private static JsonNode separated(String text) {
    ArrayNode list = MAPPER.createArrayNode();
    for (String item : text.split(",", -1)) {
      list.add(item.strip());
    }
    return list;
  }

  /// An object whose fields are data. Its keys are texts, or the words of an enum.
  private @Nullable Map<Object, Object> map(BodyField field, Argument<?> type, JsonNode json, BodyErrors errors) {
    if (!json.isObject()) {
      throw ValueReaders.unexpected("an object", json);
    }
    BodyField.requireMapSize(type, json.size());
    Map<String, Object> keys = keys(type.getTypeVariable("K").orElseThrow(), json);
    Argument<?> valueType = type.getTypeVariable("V").orElseThrow();
    Map<Object, Object> entries = new TreeMap<>();
    boolean areValid = true;
    for (var entry : json.properties()) {
      Object key = keys.get(entry.getKey());
      BodyErrors entryErrors = errors.under(entry.getKey());
      if (key == null) {
        entryErrors.add("", "unknown field; expected one of " + String.join(", ", keys.keySet()));
      } else {
        Optional<Object> value = element(field, valueType, entry.getValue(), entryErrors);
        value.ifPresent(valid -> entries.put(key, valid));
        areValid &= value.isPresent();
      }
    }
    return areValid ? entries : null;
  }

  /// An item of a list or a value of a map; empty if it is wrong.
  private Optional<Object> element(BodyField field, Argument<?> type, JsonNode json, BodyErrors errors) {
    try {
      return Optional.ofNullable(value(field, type, json, errors));
    } catch (IllegalArgumentException e) {
      errors.add("", message(e));
      return Optional.empty();
    }
  }

  /// The keys that a map may have, by their names in JSON.
  private static Map<String, Object> keys(Argument<?> type, JsonNode json) {
    Object[] constants = type.getType().getEnumConstants();
    return constants == null
        ? json.propertyNames().stream().collect(Collectors.toMap(name -> name, name -> name))
        : Arrays.stream(constants)
            .collect(
                Collectors.toMap(
                    constant -> ValueReaders.enumWord((Enum<?>) constant),
                    constant -> constant,
                    (one, _) -> one,
                    LinkedHashMap::new));
  }
}
