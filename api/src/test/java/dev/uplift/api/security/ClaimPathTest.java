package dev.uplift.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClaimPathTest {
  private static final Map<String, Object> CLAIMS =
      Map.of(
          "sub", "ann",
          "roles", List.of("viewer", "operator", 7, List.of("admin")),
          "realm_access", Map.of("roles", List.of("fleet-admin")),
          "resource_access", Map.of("uplift.cli", Map.of("roles", List.of("one", "two"))),
          "https://uplift.example.com/roles", List.of("named"),
          "groups", List.of(Map.of("name", "north"), Map.of("name", List.of("south", "west")), "east"),
          "count", 3);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sub                              | ann
          roles                            | viewer,operator,admin
          realm_access.roles               | fleet-admin
          https://uplift.example.com/roles | named
          groups.name                      | north,south,west
          groups                           | east
          """)
  void aPathLeadsToTexts(String path, String values) {
    assertThat(new ClaimPath(path).values(CLAIMS)).containsExactly(values.split(","));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "sub.name", "realm_access", "realm_access.none", "count", "roles.name"})
  void whereThereIsNoTextThereAreNoValues(String path) {
    assertThat(new ClaimPath(path).values(CLAIMS)).isEmpty();
  }

  @Test
  void anEmptyNameIsRefused() {
    for (String path : List.of("", " ", ".roles", "roles.", "a..b")) {
      assertThatThrownBy(() -> new ClaimPath(path)).hasMessageContaining("expected the name of a claim");
    }
  }
}
