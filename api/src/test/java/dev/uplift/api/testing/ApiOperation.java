package dev.uplift.api.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/// An operation of the OpenAPI document.
///
/// @param path with its variables in braces
/// @param needsToken whether requests without a token are rejected
/// @param role the lowest permitted one; empty if no token is needed
/// @param supportsValidate whether it supports `?validate=true`
public record ApiOperation(
    String id, String method, String path, boolean needsToken, Optional<String> role, boolean supportsValidate) {
  private static final Pattern ROLE = Pattern.compile("the\\s+role\\s+`(\\w+)`");
  private static final Set<String> METHODS =
      Set.of("get", "head", "put", "post", "patch", "delete", "options", "trace");

  /// Returns all operations of the document.
  public static List<ApiOperation> all() {
    Map<?, ?> document = load();
    List<ApiOperation> all = new ArrayList<>();
    map(Objects.requireNonNull(document.get("paths")))
        .forEach((path, item) ->
            map(item)
                .forEach((method, operation) -> {
                  if (METHODS.contains(method.toString())) {
                    all.add(of(path.toString(), method.toString(), map(operation)));
                  }
                }));
    return List.copyOf(all);
  }

  /// Returns whether it may change something.
  public boolean isWrite() {
    return !method.equals("GET") && !method.equals("HEAD");
  }

  public boolean isTenantScoped() {
    return path.contains("{tenant}");
  }

  @Override
  public String toString() {
    return method + " " + path;
  }

  private static ApiOperation of(String path, String method, Map<?, ?> operation) {
    boolean needsToken = operation.containsKey("security");
    Matcher role = ROLE.matcher(Objects.toString(operation.get("description"), ""));
    boolean validates =
        operation.get("parameters") instanceof List<?> parameters
            && parameters.contains(Map.of("$ref", "#/components/parameters/query.validate"));
    return new ApiOperation(
        Objects.toString(operation.get("operationId"), ""),
        method.toUpperCase(Locale.ROOT),
        path,
        needsToken,
        role.find() ? Optional.of(role.group(1)) : Optional.empty(),
        validates);
  }

  private static Map<?, ?> load() {
    try (InputStream in = ApiOperation.class.getResourceAsStream("/META-INF/swagger/uplift.yml")) {
      return map(new Yaml().load(Objects.requireNonNull(in)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<?, ?> map(Object value) {
    return (Map<?, ?>) value;
  }
}
