package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/// The document that the compiler generates: `RouteAuthorizationTest` compares its operations with the routes, this
/// test looks at what it says of them.
final class OpenApiDocumentTest {
  private final Map<?, ?> document = load();

  @Test
  void referencesLeadSomewhere() {
    assertThat(texts(document, "$ref"))
        .isNotEmpty()
        .allSatisfy(reference -> assertThat(at(reference)).as(reference).isNotNull());
  }

  @Test
  void everyOperationHasAnIdOfItsOwnAndASummary() {
    List<Map<?, ?>> operations = operations();
    assertThat(operations.stream().map(operation -> operation.get("operationId")))
        .doesNotContainNull()
        .doesNotHaveDuplicates();
    assertThat(operations)
        .allSatisfy(operation ->
            assertThat(Objects.toString(operation.get("summary"), ""))
                .as("summary of %s", operation.get("operationId"))
                .matches("[A-Z].*[.]"));
  }

  @Test
  void textsAreMarkdownWithoutTheSyntaxOfDocComments() {
    assertThat(Stream.of("description", "summary").flatMap(key -> texts(document, key).stream()))
        .noneMatch(text -> text.contains("\\") || text.matches("(?s).*\\[[A-Z#]\\w*].*"));
  }

  @Test
  void requestsNameAllTheirFieldsInSnakeCase() {
    Map<?, ?> request = (Map<?, ?>) Objects.requireNonNull(at("#/components/schemas/StartUpgradeRequest"));
    assertThat(request.get("additionalProperties")).isEqualTo(false);
    assertThat(request.get("required")).isEqualTo(List.of("package", "version"));
    Map<?, ?> properties = (Map<?, ?>) Objects.requireNonNull(request.get("properties"));
    assertThat(properties.get("host_soak_seconds"))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("default", 0)
        .containsEntry("maximum", 604_800);
    assertThat(at("#/components/schemas/RollbackScope"))
        .isEqualTo(Map.of("type", "string", "enum", List.of("host", "device", "none")));
  }

  private List<Map<?, ?>> operations() {
    List<Map<?, ?>> all = new ArrayList<>();
    for (Object path : ((Map<?, ?>) Objects.requireNonNull(document.get("paths"))).values()) {
      ((Map<?, ?>) path)
          .forEach((method, operation) -> {
            if (!method.equals("parameters")) {
              all.add((Map<?, ?>) operation);
            }
          });
    }
    return all;
  }

  private @Nullable Object at(String reference) {
    @Nullable Object found = document;
    for (String part : reference.substring("#/".length()).split("/", -1)) {
      found = found instanceof Map<?, ?> map ? map.get(part) : null;
    }
    return found;
  }

  private static List<String> texts(@Nullable Object node, String key) {
    List<String> all = new ArrayList<>();
    if (node instanceof Map<?, ?> map) {
      if (map.get(key) instanceof String text) {
        all.add(text);
      }
      map.values().forEach(value -> all.addAll(texts(value, key)));
    } else if (node instanceof Collection<?> list) {
      list.forEach(value -> all.addAll(texts(value, key)));
    }
    return all;
  }

  private static Map<?, ?> load() {
    try (InputStream in = Server.class.getResourceAsStream("/META-INF/swagger/uplift.yml")) {
      return new Yaml().load(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
