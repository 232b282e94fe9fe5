package dev.uplift.cli;

import dev.uplift.api.Server;
import dev.uplift.cli.rest.RestClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What operations answer by the OpenAPI document: an example of each response, and what is wrong with another one.
final class OpenApiResponses {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int MAX_DEPTH = 8;

  private final JsonNode root;

  private OpenApiResponses(JsonNode root) {
    this.root = root;
  }

  static OpenApiResponses read() {
    try (InputStream in = Server.class.getResourceAsStream("/META-INF/swagger/uplift.yml")) {
      return new OpenApiResponses(RestClient.JSON.valueToTree(new Yaml().load(in)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the schema of the response with status 200 or 201; empty if it has no JSON.
  Optional<JsonNode> schema(String operationId) {
    return root.path("paths")
        .valueStream()
        .flatMap(JsonNode::valueStream)
        .filter(operation -> operation.path("operationId").asString("").equals(operationId))
        .flatMap(operation -> Stream.of("200", "201").map(status -> resolved(operation.path("responses").path(status))))
        .map(response -> response.path("content").path("application/json").path("schema"))
        .filter(JsonNode::isObject)
        .findFirst();
  }

  /// Returns the schema of a property.
  JsonNode property(JsonNode schema, String name) {
    return resolved(schema).path("properties").path(name);
  }

  /// Returns an example with every property, but without a cursor of a further page.
  JsonNode example(JsonNode schema) {
    return example(schema, 0);
  }

  private JsonNode example(JsonNode unresolved, int depth) {
    JsonNode schema = resolved(unresolved);
    if (schema.has("enum")) {
      return schema.path("enum").path(0);
    }
    return switch (type(schema)) {
      case "object" -> exampleObject(schema, depth);
      case "array" -> {
        ArrayNode list = JSON.arrayNode();
        yield depth < MAX_DEPTH ? list.add(example(schema.path("items"), depth + 1)) : list;
      }
      case "integer", "number" -> JSON.numberNode(schema.path("minimum").asInt(7));
      case "boolean" -> JSON.booleanNode(true);
      default -> JSON.stringNode(schema.path("format").asString("").equals("date-time") ? "2026-11-22T08:00:00Z" : "x");
    };
  }

  private ObjectNode exampleObject(JsonNode schema, int depth) {
    ObjectNode object = JSON.objectNode();
    if (depth < MAX_DEPTH) {
      schema.path("properties").properties().stream()
          .filter(property -> !property.getKey().equals("next_cursor"))
          .forEach(property -> object.set(property.getKey(), example(property.getValue(), depth + 1)));
    }
    return object;
  }

  /// Returns what is wrong with a response, by its place; empty if it is as the schema says.
  List<String> faults(JsonNode json, JsonNode schema) {
    List<String> faults = new ArrayList<>();
    collectFaults("", json, schema, faults);
    return faults;
  }

  private void collectFaults(String place, JsonNode json, JsonNode unresolved, List<String> faults) {
    JsonNode schema = resolved(unresolved);
    if (!hasType(json, type(schema))) {
      faults.add(place + ": expected " + type(schema) + ", found " + json);
      return;
    }
    if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(json::equals)) {
      faults.add(place + ": expected one of " + schema.path("enum") + ", found " + json);
    }
    schema
        .path("required")
        .valueStream()
        .map(JsonNode::asString)
        .filter(name -> !json.has(name))
        .forEach(name -> faults.add(place + "/" + name + ": is missing"));
    for (var property : json.properties()) {
      JsonNode known = schema.path("properties").path(property.getKey());
      if (known.isObject()) {
        collectFaults(place + "/" + property.getKey(), property.getValue(), known, faults);
      } else if (schema.has("properties") && !schema.has("additionalProperties")) {
        faults.add(place + "/" + property.getKey() + ": is not in the document");
      }
    }
    if (json.isArray()) {
      json.forEach(item -> collectFaults(place + "/-", item, schema.path("items"), faults));
    }
  }

  private static boolean hasType(JsonNode json, String type) {
    return switch (type) {
      case "object" -> json.isObject();
      case "array" -> json.isArray();
      case "integer" -> json.isIntegralNumber();
      case "number" -> json.isNumber();
      case "boolean" -> json.isBoolean();
      case "string" -> json.isString();
      default -> true;
    };
  }

  /// Returns its type; empty if it may have any.
  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    String name = type.isArray() ? type.path(0).asString("") : type.asString("");
    return name.isEmpty() && schema.has("properties") ? "object" : name;
  }

  /// Follows references; of a choice or a combination of one the first.
  private JsonNode resolved(JsonNode node) {
    JsonNode found = node;
    while (true) {
      if (found.has("$ref")) {
        found = root.at(found.path("$ref").asString("").substring(1));
      } else {
        JsonNode current = found;
        Optional<JsonNode> first =
            Stream.of("allOf", "oneOf", "anyOf").map(current::path).filter(JsonNode::isArray).findFirst();
        if (first.isEmpty()) {
          return Objects.requireNonNull(found);
        }
        found = first.get().path(0);
      }
    }
  }
}
