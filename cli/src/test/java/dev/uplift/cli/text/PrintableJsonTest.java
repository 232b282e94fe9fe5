package dev.uplift.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.RestClient;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Responses as people read them.
class PrintableJsonTest {
  @Test
  void timesInSentencesAreInWholeSecondsAndThoseThatAreReckonedWithAreNot() {
    JsonNode response =
        RestClient.JSON.readTree(
            """
            {"message":"stopped since 2026-11-27T13:54:41.816Z, until 2026-11-28T13:54:41Z",
             "sent_at":"2026-11-27T13:54:41.816Z","log":"2026-11-27T13:54:41.816Z begun\\nended"}
            """);

    JsonNode shown = PrintableJson.of(response);

    assertThat(shown.path("message").asString())
        .isEqualTo("stopped since 2026-11-27T13:54:41Z, until 2026-11-28T13:54:41Z");
    assertThat(shown.path("sent_at").asString()).isEqualTo("2026-11-27T13:54:41.816Z");
    assertThat(shown.path("log").asString()).isEqualTo("2026-11-27T13:54:41.816Z begun\nended");
  }
}
