package dev.uplift.openapi;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.rollout.TargetResult;
import io.micronaut.core.annotation.AnnotationUtil;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.PropertyElement;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Completes schemas by what holds for all records: what is `Optional`, `@Nullable` or has a default need not be there
/// and is never `null`, requests have no other fields than those that are named, names follow their rule, and constants
/// of enums are words.
@SuppressWarnings("rawtypes") // As the models of Swagger have them.
final class SchemaConventions {
  private static final String REQUEST_BODY = "dev.uplift.api.json.RequestBody";
  private static final String PATCH = "dev.uplift.api.json.Patch";
  private static final String COMMA_SEPARATED = "dev.uplift.api.json.CommaSeparated";
  private static final String MERGE_PATCH = "application/merge-patch+json";

  private static final Pattern PARAMETER = Pattern.compile("@param\\s+(\\w+)\\s(.*?)(?=@param|\\z)", Pattern.DOTALL);

  /// Fields that are names, with an example of each.
  private static final Map<String, Name> NAMES =
      Map.of(
          "tenant", new Name(NameRule.TENANT, "acme"),
          "device", new Name(NameRule.DEVICE, "gate"),
          "host", new Name(NameRule.HOST, "left"),
          "package", new Name(NameRule.PACKAGE, "shopd"),
          "version", new Name(NameRule.VERSION, "2.0"));

  private static final Set<String> SUCCESSES =
      Stream.of(TargetResult.values()).filter(TargetResult::isSuccess).map(Enum::name).collect(Collectors.toSet());

  private record Name(NameRule rule, String example) {}

  /// By the name that micronaut-openapi gives the schema.
  private final Map<String, RecordFacts> records = new LinkedHashMap<>();

  /// @param optional components that need not be there
  /// @param nullable components that may be `null`: the optional ones of requests, where that is the same as their
  ///   absence
  /// @param descriptions of its components, of its doc comment
  /// @param commaSeparated lists that may also be one text
  /// @param rules of the fields of requests
  private record RecordFacts(
      boolean isRequest,
      List<String> optional,
      List<String> nullable,
      List<String> commaSeparated,
      Map<String, FieldRule> rules,
      Map<String, String> descriptions) {}

  void add(ClassElement element) {
    boolean isRequest = element.isAssignable(REQUEST_BODY);
    records.put(
        schemaName(element),
        new RecordFacts(
            isRequest,
            fields(element, SchemaConventions::isOptional),
            isRequest ? fields(element, p -> p.getType().isAssignable(Optional.class)) : List.of(),
            fields(element, p -> p.hasAnnotation(COMMA_SEPARATED)),
            isRequest ? rules(element) : Map.of(),
            descriptions(element)));
  }

  private static List<String> fields(ClassElement element, Predicate<PropertyElement> which) {
    return element.getBeanProperties().stream().filter(which).map(SchemaConventions::fieldName).toList();
  }

  private static Map<String, FieldRule> rules(ClassElement element) {
    return element.getBeanProperties().stream()
        .filter(property -> !NAMES.containsKey(fieldName(property)))
        .collect(Collectors.toMap(SchemaConventions::fieldName, FieldRule::of));
  }

  private static Map<String, String> descriptions(ClassElement element) {
    Map<String, String> all = new LinkedHashMap<>();
    element
        .getDocumentation()
        .map(PARAMETER::matcher)
        .ifPresent(found -> {
          while (found.find()) {
            all.put(found.group(1), found.group(2).replaceAll("\\s+", " ").strip());
          }
        });
    return all;
  }

  private static boolean isOptional(PropertyElement property) {
    return property.getType().isAssignable(Optional.class)
        || property.getType().getName().equals(PATCH)
        || property.hasStereotype(AnnotationUtil.NULLABLE)
        || property.hasAnnotation(Bindable.class);
  }

  private static String schemaName(ClassElement element) {
    return element.getName().substring(element.getPackageName().length() + 1).replace('$', '.');
  }

  void complete(OpenAPI document) {
    Components components = document.getComponents();
    Map<String, Schema> generated = components.getSchemas();
    Map<String, Schema> renamed = new LinkedHashMap<>();
    generated.forEach((name, schema) -> {
      RecordFacts facts = records.get(name.replaceFirst("_.*", ""));
      if (!name.matches("(Patch|Optional)_.*")) {
        if (facts != null) {
          complete(schema, facts);
        }
        unwrapPatches(schema, generated);
        if (facts != null) {
          facts.rules().forEach((field, rule) -> applyRule(schema, field, rule));
        }
        renamed.put(publicName(name), schema);
      }
    });
    components.setSchemas(renamed);
    document.getPaths().values().forEach(path -> path.readOperations().forEach(one -> relaxPatch(one, components)));
    renamed.values().forEach(this::walk);
    document.getPaths().values().forEach(path -> path.readOperations().forEach(this::walk));
  }

  private static void complete(Schema<?> schema, RecordFacts facts) {
    facts
        .descriptions()
        .forEach((name, text) -> {
          Schema<?> property = schema.getProperties().get(name);
          if (property != null && parts(property).allMatch(part -> part.getDescription() == null)) {
            property.setDescription(text);
          }
        });
    renamePackage(schema);
    if (facts.isRequest()) {
      schema.setAdditionalProperties(false);
    }
    if (schema.getRequired() != null) {
      List<String> required = schema.getRequired().stream().filter(name -> !facts.optional().contains(name)).toList();
      schema.setRequired(required.isEmpty() ? null : required);
    }
    schema
        .getProperties()
        .forEach((name, property) -> {
          if (facts.optional().contains(name)) {
            parts(property).forEach(part -> setNull(part, facts.nullable().contains(name)));
          }
          if (facts.commaSeparated().contains(name)) {
            parts(property).filter(part -> part.getItems() != null).forEach(part -> part.addType("string"));
          }
          // Of a list or an object: an empty one, which says nothing.
          parts(property)
              .filter(part -> part.getItems() != null || "{}".equals(part.getDefault()))
              .forEach(part -> part.setDefault(null));
        });
  }

  private static void applyRule(Schema<?> schema, String field, FieldRule rule) {
    Schema<?> property = schema.getProperties().get(field);
    if (property != null) {
      rule.apply(property);
    }
  }

  /// A field of a merge patch is its value, or `null`.
  private static void unwrapPatches(Schema<?> schema, Map<String, Schema> all) {
    if (schema.getProperties() == null) {
      return;
    }
    schema
        .getProperties()
        .replaceAll((name, property) -> {
          Schema<?> patch =
              parts(property)
                  .map(Schema::get$ref)
                  .filter(reference -> reference != null && reference.contains("/Patch_"))
                  .map(reference -> all.get(reference.substring(reference.lastIndexOf('/') + 1)))
                  .findFirst()
                  .orElse(null);
          if (patch == null) {
            return property;
          }
          Schema<?> described = requireNonNull(patch.getProperties().get("value"));
          Schema<?> value = described.getAllOf() == null ? described : described.getAllOf().getFirst();
          value.setDescription(property.getDescription());
          if (value.getAdditionalProperties() != null) {
            value.addType("object");
          }
          value.addType("null");
          return value;
        });
  }

  /// In a merge patch of something whole nothing is required, and what is never shown cannot change.
  private static void relaxPatch(Operation operation, Components components) {
    if (operation.getRequestBody() == null
        || operation.getRequestBody().getContent() == null
        || !operation.getRequestBody().getContent().containsKey(MERGE_PATCH)) {
      return;
    }
    for (MediaType type : operation.getRequestBody().getContent().values()) {
      String reference = type.getSchema().get$ref();
      String name = reference.substring(Components.COMPONENTS_SCHEMAS_REF.length());
      Schema<?> whole = components.getSchemas().get(name);
      if (whole != null && whole.getRequired() != null) {
        Schema<?> patch =
            new Schema<>()
                .properties(shown(whole.getProperties()))
                .additionalProperties(false)
                .description(whole.getDescription());
        components.addSchemas(name + "Patch", patch);
        type.getSchema().set$ref(Components.COMPONENTS_SCHEMAS_REF + name + "Patch");
      }
    }
  }

  private static Map<String, Schema> shown(Map<String, Schema> properties) {
    Map<String, Schema> shown = new LinkedHashMap<>(properties);
    shown.values().removeIf(property -> parts(property).anyMatch(part -> Boolean.TRUE.equals(part.getWriteOnly())));
    return shown;
  }

  /// A component cannot be called `package`.
  private static void renamePackage(Schema<?> schema) {
    if (schema.getProperties() != null && schema.getProperties().containsKey("packageName")) {
      Map<String, Schema> properties = new LinkedHashMap<>();
      schema.getProperties().forEach((name, value) -> properties.put(fieldName(name), value));
      schema.setProperties(properties);
      if (schema.getRequired() != null) {
        schema.setRequired(schema.getRequired().stream().map(SchemaConventions::fieldName).toList());
      }
    }
  }

  private static String fieldName(PropertyElement property) {
    return property
        .stringValue("com.fasterxml.jackson.annotation.JsonProperty")
        .orElseGet(() -> fieldName(property.getName()));
  }

  private static String fieldName(String component) {
    return component.equals("packageName") ? "package" : component;
  }

  /// `UpgradeView` is known to clients as `Upgrade`, a page of them as `UpgradePage`. Simple names of records are
  /// unique, those of enums within others are not.
  private String publicName(String name) {
    if (name.startsWith("PageResponse_")) {
      return publicName(name.substring("PageResponse_".length(), name.length() - 1)) + "Page";
    }
    String simple = records.containsKey(name) ? name.substring(name.lastIndexOf('.') + 1) : name.replace(".", "");
    return simple.replaceFirst("View$", "");
  }

  private void walk(Operation operation) {
    if (operation.getParameters() != null) {
      operation.getParameters().forEach(parameter -> walk(parameter.getSchema()));
    }
    if (operation.getRequestBody() != null && operation.getRequestBody().getContent() != null) {
      walk(operation.getRequestBody().getContent());
    }
    operation.getResponses().values().forEach(response -> walk(response.getContent()));
  }

  private void walk(@Nullable Content content) {
    if (content != null) {
      content.values().forEach(type -> walk(type.getSchema()));
    }
  }

  private void walk(@Nullable Schema<?> schema) {
    if (schema == null) {
      return;
    }
    DocComments.describe(schema);
    schema.setExtensions(null);
    String reference = schema.get$ref();
    if (reference != null && reference.endsWith("/Optional_Integer_")) {
      schema.set$ref(null);
      schema.setTypes(new LinkedHashSet<>(List.of("integer", "null")));
      // The limit of an outcome.
      schema.setMinimum(BigDecimal.ONE);
    } else if (reference != null) {
      String name = reference.substring(Components.COMPONENTS_SCHEMAS_REF.length());
      schema.set$ref(publicName(name));
    }
    writeWords(schema);
    if (schema.getProperties() != null) {
      schema.setTypes(Set.of("object"));
      writeKeysAsWords(schema);
      schema.getProperties().forEach(SchemaConventions::describeName);
      schema.getProperties().values().forEach(this::walk);
    }
    if (schema.getAdditionalProperties() instanceof Schema<?> values) {
      schema.addType("object");
      walk(values);
    }
    Stream.of(schema.getAllOf(), schema.getAnyOf(), schema.getOneOf())
        .filter(parts -> parts != null)
        .forEach(parts -> parts.forEach(this::walk));
    walk(schema.getItems());
  }

  private static void describeName(String property, Schema<?> schema) {
    Name name = NAMES.get(fieldName(property));
    if (name != null) {
      parts(schema)
          .filter(part -> part.getTypes() != null && part.getTypes().contains("string"))
          .forEach(part ->
              part.pattern(requireNonNullElse(part.getPattern(), name.rule().pattern())).setExample(name.example()));
    }
  }

  private static void setNull(Schema<?> schema, boolean isNullable) {
    schema.setNullable(null);
    if (schema.getTypes() != null) {
      schema.getTypes().remove("null");
      if (schema.getTypes().size() > 1) {
        schema.getTypes().remove("object");
      }
      if (isNullable) {
        schema.addType("null");
      }
    }
  }

  /// A schema and, if a description was added to it, what it is composed of.
  private static Stream<Schema> parts(Schema<?> schema) {
    return schema.getAllOf() == null ? Stream.of(schema) : Stream.concat(Stream.of(schema), schema.getAllOf().stream());
  }

  /// The keys of a map may be constants of an enum; those of outcomes are limits, of which a success has none.
  private static void writeKeysAsWords(Schema<?> schema) {
    if (schema.getProperties().keySet().stream().allMatch(name -> name.matches("[A-Z_]+"))) {
      Map<String, Schema> properties = new LinkedHashMap<>();
      schema
          .getProperties()
          .forEach((name, value) -> {
            if (!SUCCESSES.contains(name)) {
              properties.put(word(name), value);
            }
          });
      schema.setProperties(properties);
      schema.setAdditionalProperties(false);
    }
  }

  private static String word(Object constant) {
    return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Constants of enums are lower-case words with dashes in JSON.
  @SuppressWarnings("unchecked")
  private static void writeWords(Schema schema) {
    if (schema.getEnum() != null) {
      schema.setTypes(Set.of("string"));
      schema.setEnum(((List<Object>) schema.getEnum()).stream().map(SchemaConventions::word).toList());
    }
  }
}
