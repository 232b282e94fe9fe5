package dev.uplift.api.json;

import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
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

/// The JSON object that a request has as its body. Read all fields, then call [#done], which
/// refuses the request with everything that is wrong, unknown fields too.
public final class Body {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final int MOST_BYTES = 1024 * 1024;

  private final JsonNode json;
  private final String place;
  private final Set<String> known = new LinkedHashSet<>();
  private final List<Fault> faults;
  private final List<Body> parts = new ArrayList<>();

  private Body(JsonNode json) {
    this(json, "", new ArrayList<>());
  }

  private Body(JsonNode json, String place, List<Fault> faults) {
    this.json = json;
    this.place = place;
    this.faults = faults;
  }

  /// An object with known fields, as a value.
  ///
  /// @param fields reads them all; what it supplies is asked for if nothing is wrong with them
  public static <T> Shape<T> object(Function<Body, Supplier<T>> fields) {
    return json -> {
      if (!json.isObject()) {
        throw Shapes.expected("an object", json);
      }
      Body object = new Body(json);
      Supplier<T> value = fields.apply(object);
      object.refuseUnknown();
      if (!object.faults.isEmpty()) {
        throw Wrong.inside(object.faults);
      }
      return value.get();
    };
  }

  /// The body of a request, which has to have one.
  public static Body of(HttpRequest<?> request) {
    return of(bytes(request));
  }

  /// The same, but no body is an empty object.
  public static Body orEmpty(HttpRequest<?> request) {
    byte[] bytes = bytes(request);
    return bytes.length == 0 ? new Body(MAPPER.createObjectNode()) : of(bytes);
  }

  /// The same, of bytes.
  public static Body of(byte[] bytes) {
    if (bytes.length == 0) {
      throw Refusal.malformed(Fault.at("", "expected a JSON object as the body, found nothing"));
    }
    JsonNode json = parse(bytes);
    if (!json.isObject()) {
      throw Refusal.malformed(Fault.at("", Shapes.expected("a JSON object", json).detail()));
    }
    return new Body(json);
  }

  /// The bytes of a request, not looked at.
  public static byte[] raw(HttpRequest<?> request) {
    return bytes(request);
  }

  private static byte[] bytes(HttpRequest<?> request) {
    try (InputStream in = ((ServerHttpRequest<?>) request).byteBody().toInputStream()) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw Refusal.of(
            HttpStatus.REQUEST_ENTITY_TOO_LARGE,
            "expected a body of at most %d bytes".formatted(MOST_BYTES));
      }
      return bytes;
    } catch (IOException _) {
      throw Refusal.malformed(Fault.at("", "the body broke off"));
    }
  }

  private static JsonNode parse(byte[] bytes) {
    try {
      return MAPPER.readTree(bytes);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String place =
          at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
      throw Refusal.malformed(
          Fault.at("", "not JSON" + place + ": " + firstLine(e.getOriginalMessage())));
    }
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("");
  }

  public <T> Field<T> required(String name, Shape<T> shape) {
    known.add(name);
    if (!json.has(name)) {
      wrong("/" + Shapes.escaped(name), "is missing: " + name + " is required");
    }
    return read(name, shape, false);
  }

  /// A field that may be absent.
  public <T> Field<T> optional(String name, Shape<T> shape) {
    known.add(name);
    return read(name, shape, false);
  }

  /// A field that may be absent, or `null`, which takes away what was there.
  public <T> Field<T> removable(String name, Shape<T> shape) {
    known.add(name);
    return read(name, shape, true);
  }

  private <T> Field<T> read(String name, Shape<T> shape, boolean mayBeNull) {
    JsonNode value = json.get(name);
    if (value == null || (mayBeNull && value.isNull())) {
      return new Field<>(null, value != null);
    }
    try {
      return new Field<>(shape.read(value), true);
    } catch (Wrong e) {
      faults.addAll(e.below(place + "/" + Shapes.escaped(name)));
      return new Field<>(null, true);
    }
  }

  /// The object in a field that may be absent: then it is one without fields. Read it as this one;
  /// [#done] of this one is for both.
  public Body inside(String name) {
    known.add(name);
    JsonNode value = json.get(name);
    return part("/" + Shapes.escaped(name), value == null ? MAPPER.createObjectNode() : value);
  }

  /// The objects in a list that may be absent, each as [#inside].
  public List<Body> each(String name, int most) {
    known.add(name);
    JsonNode value = json.get(name);
    if (value == null) {
      return List.of();
    }
    try {
      String pointer = "/" + Shapes.escaped(name);
      List<JsonNode> items = Shapes.list(item -> item, 0, most).read(value);
      return IntStream.range(0, items.size())
          .mapToObj(i -> part(pointer + "/" + i, items.get(i)))
          .toList();
    } catch (Wrong e) {
      faults.addAll(e.below(place + "/" + Shapes.escaped(name)));
      return List.of();
    }
  }

  private Body part(String pointer, JsonNode value) {
    if (!value.isObject()) {
      wrong(pointer, Shapes.expected("an object", value).detail());
    }
    JsonNode object = value.isObject() ? value : MAPPER.createObjectNode();
    Body part = new Body(object, place + pointer, faults);
    parts.add(part);
    return part;
  }

  /// A fault that concerns several fields.
  ///
  /// @param pointer within this object
  public void wrong(String pointer, String detail) {
    faults.add(Fault.at(place + pointer, detail));
  }

  /// The same, but nothing is said twice of one place, nor of what is inside of a wrong one.
  public void wrongToo(String pointer, String detail) {
    String where = place + pointer;
    boolean said =
        faults.stream()
            .map(fault -> fault.pointer().orElse(""))
            .anyMatch(known -> where.equals(known) || where.startsWith(known + "/"));
    if (!said) {
      wrong(pointer, detail);
    }
  }

  /// Everything is read that there may be.
  ///
  /// @throws Refusal with all that is wrong, if something is
  public void done() {
    refuseUnknown();
    if (!faults.isEmpty()) {
      throw Refusal.malformed(faults);
    }
  }

  private void refuseUnknown() {
    for (String name : json.propertyNames()) {
      if (!known.contains(name)) {
        String detail = "unknown field; there may be " + String.join(", ", known);
        wrong("/" + Shapes.escaped(name), known.isEmpty() ? "no fields are expected" : detail);
      }
    }
    parts.forEach(Body::refuseUnknown);
  }

  /// `whole`, with each field of this one in the place of what it had; `null` takes a field away.
  public ObjectNode replacingIn(ObjectNode whole) {
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
