package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.json.PlainText;
import dev.uplift.fleet.NameRule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
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

  @Test
  void textsHaveThePatternThatTheServerChecks() {
    Pattern documented =
        Pattern.compile(Objects.toString(at("#/components/schemas/UpgradeActionRequest/properties/reason/pattern")));

    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      if (!Character.isSurrogate((char) c)) {
        String text = "a" + Character.toString(c) + "b";
        assertThat(documented.matcher(text).matches()).as("U+%04X", c).isEqualTo(isTaken(text));
      }
    }
  }

  private static boolean isTaken(String text) {
    try {
      PlainText.requireOneLine(text);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  @Test
  void everyRequestSaysWhichFieldsItHas() {
    List<String> open = new ArrayList<>();
    requests()
        .forEach((name, schema) -> {
          assertThat(schema.get("properties")).as(name).isNotNull();
          if (!Boolean.FALSE.equals(schema.get("additionalProperties"))) {
            open.add(name);
          }
        });

    // Signed messages of agents, which may be newer than the server.
    assertThat(open).containsExactlyInAnyOrder("JoinRequest", "RenewRequest");
  }

  private Map<String, Map<?, ?>> requests() {
    Map<String, Map<?, ?>> all = new TreeMap<>();
    for (Map<?, ?> operation : operations()) {
      if (operation.get("requestBody") instanceof Map<?, ?> body) {
        texts(body, "$ref").stream()
            .filter(reference -> reference.startsWith("#/components/schemas/"))
            .forEach(reference ->
                all.put(
                    reference.substring(reference.lastIndexOf('/') + 1),
                    (Map<?, ?>) Objects.requireNonNull(at(reference))));
      }
    }
    return all;
  }

  @Test
  void everyOperationAboveTheRoleOfViewersMayAnswer403() {
    assertThat(operations())
        .filteredOn(
            operation -> String.valueOf(operation.get("description")).matches("(?s).*role `(operator|admin)`.*"))
        .isNotEmpty()
        .allSatisfy(operation ->
            assertThat((Map<?, ?>) operation.get("responses"))
                .as("responses of %s", operation.get("operationId"))
                .satisfies(responses -> assertThat(responses.containsKey("403")).isTrue()));
  }

  @Test
  void aFieldMayHaveAPatternOtherThanThatOfItsName() {
    assertThat(text("TokenRevocation/properties/tenant/pattern"))
        .isEqualTo("^(\\*|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)$");
  }

  @Test
  void namesInAListHaveTheirPattern() {
    assertThat(text("DevicesActionRequest/properties/devices/items/pattern")).isEqualTo(NameRule.DEVICE.pattern());
  }

  @Test
  void aListInOneTextHasAsManyItemsAsAList() {
    String week = text("Window/properties/days_of_week/pattern");

    assertThat("mon" + ", tue".repeat(6)).matches(week);
    assertThat("mon" + ", tue".repeat(7)).doesNotMatch(week);
  }

  @Test
  void aRolloutDoesNotStopAtASuccess() {
    assertThat((Map<?, ?>) at("#/components/schemas/ThresholdsRequest/properties/by_outcome/properties"))
        .satisfies(outcomes -> {
          assertThat(outcomes.containsKey("rolled-back")).isTrue();
          assertThat(outcomes.containsKey("upgraded")).isFalse();
          assertThat(outcomes.containsKey("no-action")).isFalse();
        });
  }

  @Test
  void theReasonOfARevocationHasTheLengthThatTheServerChecks() {
    assertThat(text("RevokeTokensRequest/properties/reason/maxLength")).isEqualTo("500");
  }

  private String text(String place) {
    return Objects.toString(at("#/components/schemas/" + place));
  }

  @Test
  void noExampleEndsOnADay() {
    assertThat(examples(document)).isNotEmpty().noneMatch(example -> example.matches("(?s).*\\d{4}-\\d{2}-\\d{2}T.*"));
  }

  private static List<String> examples(@Nullable Object node) {
    List<String> all = new ArrayList<>();
    if (node instanceof Map<?, ?> map) {
      if (map.containsKey("example")) {
        all.add(String.valueOf(map.get("example")));
      }
      map.values().forEach(value -> all.addAll(examples(value)));
    } else if (node instanceof Collection<?> list) {
      list.forEach(value -> all.addAll(examples(value)));
    }
    return all;
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
