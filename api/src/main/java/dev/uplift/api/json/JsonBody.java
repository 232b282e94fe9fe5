package dev.uplift.api.json;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.ServerHttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The JSON object that a request has as its body. Read all fields, then call [#throwIfInvalid],
/// which refuses the request with everything that is wrong, unknown fields too.
public final class JsonBody {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final int MAX_BYTES = 1024 * 1024;

  private final JsonNode json;
  private final String basePointer;
  private final Set<String> knownFields = new LinkedHashSet<>();
  private final List<RequestError> errors;
  private final List<JsonBody> parts = new ArrayList<>();

  private JsonBody(JsonNode json) {
    this(json, "", new ArrayList<>());
  }

  private JsonBody(JsonNode json, String basePointer, List<RequestError> errors) {
    this.json = json;
    this.basePointer = basePointer;
    this.errors = errors;
  }

  /// An object with known fields, as a value.
  ///
  /// @param fields reads them all; what it supplies is asked for if nothing is wrong with them
  public static <T> ValueReader<T> object(Function<JsonBody, Supplier<T>> fields) {
    return json -> {
      if (!json.isObject()) {
        throw ValueReaders.unexpected("an object", json);
      }
      JsonBody object = new JsonBody(json);
      Supplier<T> value = fields.apply(object);
      object.addUnknownFields();
      if (!object.errors.isEmpty()) {
        throw InvalidValue.ofErrors(object.errors);
      }
      return value.get();
    };
  }

  /// The body of a request, which has to have one.
  public static JsonBody of(HttpRequest<?> request) {
    return of(bytes(request));
  }

  /// The same, but no body is an empty object.
  public static JsonBody ofOrEmpty(HttpRequest<?> request) {
    byte[] bytes = bytes(request);
    return bytes.length == 0 ? new JsonBody(MAPPER.createObjectNode()) : of(bytes);
  }

  /// The same, of bytes.
  public static JsonBody of(byte[] bytes) {
    if (bytes.length == 0) {
      throw ProblemException.badRequest(
          RequestError.atPointer("", "expected a JSON object as the body, found nothing"));
    }
    return new JsonBody(parseObject(bytes));
  }

  /// The JSON object in these bytes.
  static JsonNode parseObject(byte[] bytes) {
    JsonNode json = parse(bytes);
    if (!json.isObject()) {
      throw ProblemException.badRequest(
          RequestError.atPointer("", ValueReaders.unexpected("a JSON object", json).detail()));
    }
    return json;
  }

  static JsonNode parseValue(String text) {
    return parse(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  /// The bytes of a request, not looked at.
  public static byte[] rawBytes(HttpRequest<?> request) {
    return bytes(request);
  }

  private static byte[] bytes(HttpRequest<?> request) {
    try (InputStream in = ((ServerHttpRequest<?>) request).byteBody().toInputStream()) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw ProblemException.of(
            HttpStatus.REQUEST_ENTITY_TOO_LARGE,
            "expected a body of at most %d bytes".formatted(MAX_BYTES));
      }
      return bytes;
    } catch (IOException _) {
      throw ProblemException.badRequest(RequestError.atPointer("", "the body broke off"));
    }
  }

  private static JsonNode parse(byte[] bytes) {
    try {
      return MAPPER.readTree(bytes);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String place =
          at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
      throw ProblemException.badRequest(
          RequestError.atPointer(
              "", "not JSON" + place + ": " + firstLine(e.getOriginalMessage())));
    }
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("");
  }

  public <T> JsonField<T> required(String name, ValueReader<T> valueReader) {
    knownFields.add(name);
    if (!json.has(name)) {
      addError("/" + ValueReaders.escapePointer(name), "is missing: " + name + " is required");
    }
    return read(name, valueReader, false);
  }

  /// A field that may be absent.
  public <T> JsonField<T> optional(String name, ValueReader<T> valueReader) {
    knownFields.add(name);
    return read(name, valueReader, false);
  }

  /// A field that may be absent, or `null`, which takes away what was there.
  public <T> JsonField<T> nullable(String name, ValueReader<T> valueReader) {
    knownFields.add(name);
    return read(name, valueReader, true);
  }

  private <T> JsonField<T> read(String name, ValueReader<T> valueReader, boolean mayBeNull) {
    JsonNode value = json.get(name);
    if (value == null || (mayBeNull && value.isNull())) {
      return new JsonField<>(null, value != null);
    }
    try {
      return new JsonField<>(valueReader.read(value), true);
    } catch (InvalidValue e) {
      errors.addAll(e.errorsBelow(basePointer + "/" + ValueReaders.escapePointer(name)));
      return new JsonField<>(null, true);
    }
  }

  /// The object in a field that may be absent: then it is one without fields. Read it as this one;
  /// [#throwIfInvalid] of this one is for both.
  public JsonBody objectField(String name) {
    knownFields.add(name);
    JsonNode value = json.get(name);
    return part(
        "/" + ValueReaders.escapePointer(name), value == null ? MAPPER.createObjectNode() : value);
  }

  /// The objects in a list that may be absent, each as [#objectField].
  public List<JsonBody> objectList(String name, int most) {
    knownFields.add(name);
    JsonNode value = json.get(name);
    if (value == null) {
      return List.of();
    }
    try {
      String pointer = "/" + ValueReaders.escapePointer(name);
      List<JsonNode> items = ValueReaders.list(item -> item, 0, most).read(value);
      return IntStream.range(0, items.size())
          .mapToObj(i -> part(pointer + "/" + i, items.get(i)))
          .toList();
    } catch (InvalidValue e) {
      errors.addAll(e.errorsBelow(basePointer + "/" + ValueReaders.escapePointer(name)));
      return List.of();
    }
  }

  private JsonBody part(String pointer, JsonNode value) {
    if (!value.isObject()) {
      addError(pointer, ValueReaders.unexpected("an object", value).detail());
    }
    JsonNode object = value.isObject() ? value : MAPPER.createObjectNode();
    JsonBody part = new JsonBody(object, basePointer + pointer, errors);
    parts.add(part);
    return part;
  }

  /// A fault that concerns several fields.
  ///
  /// @param pointer within this object
  public void addError(String pointer, String detail) {
    errors.add(RequestError.atPointer(basePointer + pointer, detail));
  }

  /// The same, but nothing is said twice of one place, nor of what is inside of a wrong one.
  public void addErrorIfNew(String pointer, String detail) {
    String where = basePointer + pointer;
    boolean said =
        errors.stream()
            .map(requestError -> requestError.pointer().orElse(""))
            .anyMatch(known -> where.equals(known) || where.startsWith(known + "/"));
    if (!said) {
      addError(pointer, detail);
    }
  }

  /// Everything is read that there may be.
  ///
  /// @throws ProblemException with all that is wrong, if something is
  public void throwIfInvalid() {
    addUnknownFields();
    if (!errors.isEmpty()) {
      throw ProblemException.badRequest(errors);
    }
  }

  private void addUnknownFields() {
    for (String name : json.propertyNames()) {
      if (!knownFields.contains(name)) {
        String detail = "unknown field; there may be " + String.join(", ", knownFields);
        addError(
            "/" + ValueReaders.escapePointer(name),
            knownFields.isEmpty() ? "no fields are expected" : detail);
      }
    }
    parts.forEach(JsonBody::addUnknownFields);
  }

  /// `whole`, with each field of this one in the place of what it had; `null` takes a field away.
  public ObjectNode mergeInto(ObjectNode whole) {
    ObjectNode replaced = whole.deepCopy();
    json.properties()
        .forEach(field -> {
          if (field.getValue().isNull()) {
            replaced.remove(field.getKey());
          } else {
            replaced.set(field.getKey(), field.getValue());
          }
        });
    return replaced;
  }

  /// As it was sent, without needless space; for the audit.
  @Override
  public String toString() {
    return json.toString();
  }
}
