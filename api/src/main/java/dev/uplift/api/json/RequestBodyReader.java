package dev.uplift.api.json;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.NameRule;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.Headers;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.body.MessageBodyReader;
import io.micronaut.validation.validator.Validator;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// Binds the JSON of a request to its `@Body` record and reports everything that is wrong with it
/// at once: unknown fields, wrong types, what is missing, violated constraints. A data binder stops
/// at the first wrong type and validates only what it could bind
/// (`docs/decisions/0070-request-bodies.md`).
@Singleton
@Consumes({MediaType.APPLICATION_JSON, "application/merge-patch+json"})
public final class RequestBodyReader<T extends RequestBody> implements MessageBodyReader<T> {
  private static final int MAX_ENTRIES = 64;

  private final Validator validator;
  private final InstantSource clock;

  RequestBodyReader(Validator validator, InstantSource clock) {
    this.validator = validator;
    this.clock = clock;
  }

  @Override
  public boolean isReadable(Argument<T> type, @Nullable MediaType mediaType) {
    return RequestBody.class.isAssignableFrom(type.getType());
  }

  @Override
  public T read(Argument<T> type, @Nullable MediaType mediaType, Headers headers, InputStream in) {
    try {
      return bind(type.getType(), JsonBody.parseObject(in.readAllBytes()));
    } catch (IOException _) {
      throw ProblemException.badRequest(RequestError.atPointer("", "the body broke off"));
    }
  }

  /// The record of a JSON object.
  ///
  /// @throws ProblemException with all that is wrong
  public <B extends RequestBody> B bind(Class<B> type, JsonNode json) {
    BodyErrors errors = new BodyErrors();
    B body = object(type, json, errors, clock.instant());
    errors.throwIfAny();
    return body;
  }

  private <B> B object(Class<B> type, JsonNode json, BodyErrors errors, Instant now) {
    BeanIntrospection<B> introspection = BeanIntrospection.getIntrospection(type);
    Argument<?>[] arguments = introspection.getConstructorArguments();
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new Object[arguments.length];
    Set<String> known = new LinkedHashSet<>();
    for (int i = 0; i < arguments.length; i++) {
      String field = fieldName(arguments[i]);
      known.add(field);
      values[i] =
          new Field(type, arguments[i], components[i], field, now).read(json.get(field), errors);
    }
    B body = introspection.instantiate(false, values);
    if (body instanceof RequestBody request) {
      request.check(errors, now);
    }
    for (String name : json.propertyNames()) {
      if (!known.contains(name)) {
        errors.add(
            "/" + ValueReaders.escapePointer(name),
            known.isEmpty()
                ? "no fields are expected"
                : "unknown field; there may be " + String.join(", ", known));
      }
    }
    return body;
  }

  /// The name of a component in JSON: `packageName` is the one that is a reserved word there.
  private static String fieldName(Argument<?> argument) {
    return argument.getName().equals("packageName")
        ? "package"
        : NameUtils.hyphenate(argument.getName()).replace('-', '_');
  }

  /// A component of a record.
  private final class Field {
    private final Class<?> owner;
    private final Argument<?> argument;
    private final RecordComponent component;
    private final String name;
    private final Instant now;

    Field(
        Class<?> owner, Argument<?> argument, RecordComponent component, String name, Instant now) {
      this.owner = owner;
      this.argument = argument;
      this.component = component;
      this.name = name;
      this.now = now;
    }

    /// Its value; what stands for absence if it is absent or wrong.
    @Nullable Object read(@Nullable JsonNode json, BodyErrors errors) {
      JsonNode value = json == null ? standard().orElse(null) : json;
      if (value == null) {
        if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
          errors.under(name).add("", "is missing: " + name + " is required");
        }
        return absent();
      }
      try {
        return validated(reader(argument, errors.under(name)).read(value), errors);
      } catch (InvalidValue e) {
        errors.under(name).addAll(e);
        Optional<JsonNode> standard = standard();
        return standard.isPresent() ? readStandard(standard.get()) : absent();
      }
    }

    private @Nullable Object validated(@Nullable Object value, BodyErrors errors) {
      if (value == null) {
        return absent();
      }
      validator.validateValue(owner, argument.getName(), value).stream()
          .findFirst()
          .ifPresent(violation -> errors.under(name).add("", violation.getMessage()));
      return value;
    }

    private Optional<JsonNode> standard() {
      var metadata = argument.getAnnotationMetadata();
      // An empty default is that of the annotation, which does not keep it.
      return metadata.hasAnnotation(Bindable.class)
          ? Optional.of(
              standardJson(metadata.stringValue(Bindable.class, "defaultValue").orElse("")))
          : Optional.empty();
    }

    private JsonNode standardJson(String text) {
      Class<?> type = argument.getType();
      return type == String.class || type.isEnum() || type == ZoneId.class
          ? StringNode.valueOf(text)
          : JsonBody.parseValue(text);
    }

    private Object readStandard(JsonNode json) {
      try {
        return reader(argument, new BodyErrors()).read(json);
      } catch (InvalidValue e) {
        throw new IllegalStateException(owner + " has a wrong default of " + name, e);
      }
    }

    private @Nullable Object absent() {
      Class<?> type = argument.getType();
      if (type == boolean.class) {
        return false;
      }
      if (type == int.class) {
        return 0;
      }
      return null;
    }

    private ValueReader<? extends @Nullable Object> reader(Argument<?> type, BodyErrors errors) {
      Class<?> raw = type.getType();
      if (raw == String.class) {
        return text();
      }
      if (raw == boolean.class || raw == Boolean.class) {
        return ValueReaders.BOOLEAN;
      }
      if (raw == int.class || raw == Integer.class) {
        return ValueReaders.INTEGER;
      }
      if (raw == Instant.class) {
        return ValueReaders.INSTANT;
      }
      if (raw == ZoneId.class) {
        return ValueReaders.ZONE;
      }
      if (raw == HostId.class) {
        return ValueReaders.TEXT.then(HostId::new);
      }
      if (raw.isEnum()) {
        return ValueReaders.enumWordOf(raw);
      }
      if (List.class.isAssignableFrom(raw)) {
        return ValueReaders.list(
            reader(type.getFirstTypeVariable().orElseThrow(), errors),
            size("min", 0),
            size("max", MAX_ENTRIES));
      }
      if (Map.class.isAssignableFrom(raw)) {
        return ValueReaders.map(
            reader(type.getTypeVariable("V").orElseThrow(), errors), size("max", MAX_ENTRIES));
      }
      return nested(raw);
    }

    private ValueReader<String> text() {
      TextForm form = component.getAnnotation(TextForm.class);
      if (form != null) {
        return form.value() == TextForm.Form.EXACT
            ? ValueReaders.EXACT_TEXT
            : ValueReaders.MULTILINE_TEXT;
      }
      NameOf rule = component.getAnnotation(NameOf.class);
      return rule == null ? ValueReaders.TEXT : name(rule.value());
    }

    private static ValueReader<String> name(NameRule rule) {
      return ValueReaders.TEXT.then(text -> {
        if (!rule.isValid(text)) {
          throw new IllegalArgumentException(
              "expected a name like %s, found \"%s\"".formatted(rule.pattern(), text));
        }
        return text;
      });
    }

    private int size(String bound, int otherwise) {
      return argument
          .getAnnotationMetadata()
          .intValue(jakarta.validation.constraints.Size.class, bound)
          .orElse(otherwise);
    }

    private <N> ValueReader<N> nested(Class<N> type) {
      return json -> {
        if (!json.isObject()) {
          throw ValueReaders.unexpected("an object", json);
        }
        BodyErrors inside = new BodyErrors();
        N value = object(type, json, inside, now);
        inside.throwAsInvalidValue();
        return value;
      };
    }
  }
}
