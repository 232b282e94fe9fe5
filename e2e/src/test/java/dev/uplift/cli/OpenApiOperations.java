package dev.uplift.cli;

import dev.uplift.api.Server;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/// The operations in the OpenAPI document of the server, with their inputs.
final class OpenApiOperations {
  private static final Set<String> METHODS = Set.of("get", "head", "put", "post", "patch", "delete");

  private final Map<?, ?> root;

  private OpenApiOperations(Map<?, ?> root) {
    this.root = root;
  }

  /// An operation of the REST interface.
  ///
  /// @param path with its variables in braces
  /// @param inputs every parameter of the query, header and field of the body that it may have
  record Operation(String id, String method, String path, Set<String> inputs) {
    /// Returns whether a path is one of these.
    boolean matchesPath(String asked) {
      return asked.matches(path.replaceAll("\\{[^}]*}", "[^/]+"));
    }
  }

  static OpenApiOperations read() {
    try (InputStream in = Server.class.getResourceAsStream("/META-INF/swagger/uplift.yml")) {
      return new OpenApiOperations(new Yaml().load(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    map(root.get("paths"))
        .forEach((path, item) ->
            map(item)
                .forEach((method, operation) -> {
                  if (METHODS.contains(method.toString())) {
                    all.add(operation(path.toString(), method.toString(), map(operation)));
                  }
                }));
    return all;
  }

  private Operation operation(String path, String method, Map<?, ?> operation) {
    Set<String> says = new TreeSet<>();
    if (operation.get("parameters") instanceof List<?> parameters) {
      parameters.stream()
          .map(this::resolved)
          .filter(parameter -> !text(parameter.get("in")).equals("path"))
          .forEach(parameter -> says.add(text(parameter.get("name"))));
    }
    if (operation.containsKey("requestBody")) {
      Map<?, ?> content = map(resolved(operation.get("requestBody")).get("content"));
      content.values().forEach(one -> says.addAll(fields(map(one).get("schema"))));
    }
    return new Operation(text(operation.get("operationId")), method.toUpperCase(Locale.ROOT), path, says);
  }

  /// The fields of an object; none of what is no object.
  private Set<String> fields(@Nullable Object schema) {
    Object properties = resolved(schema).get("properties");
    Set<String> fields = new TreeSet<>();
    if (properties != null) {
      map(properties).keySet().forEach(name -> fields.add(name.toString()));
    }
    return fields;
  }

  private Map<?, ?> resolved(@Nullable Object node) {
    Map<?, ?> found = map(node);
    while (found.get("$ref") instanceof String reference) {
      Map<?, ?> at = root;
      for (String part : reference.substring("#/".length()).split("/", -1)) {
        at = map(at.get(part));
      }
      found = at;
    }
    return found;
  }

  private static Map<?, ?> map(@Nullable Object node) {
    return (Map<?, ?>) Objects.requireNonNull(node);
  }

  private static String text(@Nullable Object node) {
    return Objects.toString(node, "");
  }
}
