package dev.uplift.agent.driver.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkerMessagesTest {

  /// AV-5, AV-13, AV-20, AV-29, AV-39.
  @Test
  void messagesHaveTheFormOfTheDocument() {
    assertThat(WorkerMessages.prepare("h02", Instant.parse("2026-03-29T01:30:00Z")))
        .isEqualTo("{\"action\":\"prepare\",\"hosts\":[\"h02\"],\"not-after\":\"2026-03-29T01:30:00Z\"}\n");
    assertThat(WorkerMessages.upgrade("h02")).isEqualTo("{\"action\":\"upgrade\",\"host\":\"h02\"}\n");
    assertThat(WorkerMessages.reboot("h02")).isEqualTo("{\"action\":\"reboot\",\"host\":\"h02\"}\n");
  }

  /// AV-26, AV-35, AV-44.
  @ParameterizedTest
  @ValueSource(strings = {"prepare", "upgrade", "reboot"})
  void aReplyNamesTheActionAndItsResult(String action) {
    assertThat(WorkerMessages.result(action, "{ \"action\": \"%s\", \"result\": \"done\" }".formatted(action)))
        .hasValue("done");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "done",
        "{}",
        "{\"action\":\"prepare\",\"result\":\"done\"}",
        "{\"action\":\"upgrade\"}",
        "{\"action\":\"upgrade\",\"result\":true}",
        "{\"action\":\"upgrade\",\"result\":{\"done\":\"done\"}}",
        "{\"action\":[\"upgrade\"],\"result\":\"done\"}",
        "{\"action\":\"upgrade\",\"result\":\"done\"} {}",
        "{\"action\":\"upgrade\",\"result\":\"done\"",
        "[{\"action\":\"upgrade\",\"result\":\"done\"}]"
      })
  void whatIsNoReplyToTheMessageIsNone(String line) {
    assertThat(WorkerMessages.result("upgrade", line)).isEmpty();
  }

  /// AV-51.
  @Test
  void versionsAreAFlatObjectAndTheLastCounts() {
    String output =
        """
        reading the versions
        {"os":"12.4","kernel":"6.1.0"}
        {"action":"upgrade","result":"done"}
        {"os":"12.5","kernel":"6.1.1"}
        {"os":{"version":"12.6"}}
        """;

    assertThat(WorkerMessages.lastVersions(output)).isEqualTo(Map.of("os", "12.5", "kernel", "6.1.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "12.4", "{\"os\":[\"12.4\"]}", "{\"os\":{}}", "{\"os\":true}", "{\"os\":\"12.4\""})
  void whatIsNoFlatObjectHasNoVersions(String output) {
    assertThat(WorkerMessages.lastVersions(output)).isEmpty();
  }
}
