package dev.uplift.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.Rest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class RolloutReportTest {
  private static final Instant OPENS = Instant.parse("2026-11-21T07:16:00Z");

  private final Map<String, JsonNode> devices = new HashMap<>();
  private final Map<String, String> versions = new HashMap<>();
  private JsonNode decision =
      Rest.JSON.createObjectNode().put("decision", "pause").put("by", "uplift");

  @BeforeEach
  void allWentAsItShould() {
    for (Store store : Store.all()) {
      has(
          store,
          store.isBroken() ? 2 : 1,
          store.waitsForItsWindow() ? OPENS : OPENS.minusSeconds(9));
      versions.put(store.name(), "2.5.0");
    }
  }

  @Test
  void nothingIsWrongWhenAllWentAsItShould() {
    assertThat(faults()).isEmpty();
  }

  @Test
  void aStartBeforeTheWindowIsAFault() {
    has(store("napier"), 1, OPENS.minusSeconds(1));

    assertThat(faults())
        .containsExactly(
            "napier was started at 2026-11-21T07:15:59Z, before its window opened at"
                + " 2026-11-21T07:16:00Z");
  }

  @Test
  void aStoreWithoutTheReleaseOrWithoutItsSecondTryIsAFault() {
    versions.remove("bonn");
    has(store("turin"), 1, OPENS);

    assertThat(faults())
        .containsExactly("bonn: version , expected 2.5.0", "turin: tries 1, expected 2");
  }

  @Test
  void whatAPersonPausedHasNotStoppedByItself() {
    decision = Rest.JSON.createObjectNode().put("decision", "pause").put("by", "ann");

    assertThat(faults()).containsExactly("two stores failed, and it did not stop");
  }

  @ParameterizedTest
  @CsvSource({
    "07:13:20, 120, 07:15:00",
    "07:13:40, 120, 07:16:00",
    "07:13:00, 120, 07:15:00",
    "07:13:20, 0,   07:14:00",
    "07:13:59, 0,   07:14:00",
    "07:13:00, 0,   07:14:00"
  })
  void aWindowOpensAtAFullMinuteThatIsStillToCome(String now, int after, String opens) {
    assertThat(RolloutPart.opening(at(now), Duration.ofSeconds(after))).isEqualTo(at(opens));
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-21T" + time + "Z");
  }

  private static Store store(String name) {
    return Store.all().stream()
        .filter(store -> store.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void has(Store store, int attempt, Instant startedAt) {
    devices.put(
        store.name(),
        Rest.JSON
            .createObjectNode()
            .put("device", store.name())
            .put("outcome", "upgraded")
            .put("attempt", attempt)
            .put("started_at", startedAt.toString()));
  }

  private List<String> faults() {
    return new RolloutReport(Store.all(), OPENS, devices, versions, List.of(decision)).faults();
  }
}
