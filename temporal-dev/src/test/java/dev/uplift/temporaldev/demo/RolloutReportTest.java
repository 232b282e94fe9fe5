package dev.uplift.temporaldev.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.RestClient;
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
  private JsonNode decision = RestClient.JSON.createObjectNode().put("decision", "pause").put("actor", "uplift");

  @BeforeEach
  void allWentAsItShould() {
    for (DemoStore demoStore : DemoStore.all()) {
      has(demoStore, demoStore.isBroken() ? 2 : 1, demoStore.hasWindow() ? OPENS : OPENS.minusSeconds(9));
      versions.put(demoStore.name(), "2.5.0");
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
            "napier was started at 2026-11-21T07:15:59Z, before its window opened at" + " 2026-11-21T07:16:00Z");
  }

  @Test
  void aStoreWithoutTheReleaseOrWithoutItsSecondTryIsAFault() {
    versions.remove("bonn");
    has(store("turin"), 1, OPENS);

    assertThat(faults()).containsExactly("bonn: version , expected 2.5.0", "turin: attempts 1, expected 2");
  }

  @Test
  void whatAPersonPausedHasNotStoppedByItself() {
    decision = RestClient.JSON.createObjectNode().put("decision", "pause").put("actor", "ann");

    assertThat(faults()).containsExactly("two stores failed, and the rollout did not pause");
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
    assertThat(RolloutPart.windowOpening(at(now), Duration.ofSeconds(after))).isEqualTo(at(opens));
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-21T" + time + "Z");
  }

  private static DemoStore store(String name) {
    return DemoStore.all().stream().filter(demoStore -> demoStore.name().equals(name)).findFirst().orElseThrow();
  }

  private void has(DemoStore demoStore, int attempt, Instant startedAt) {
    devices.put(
        demoStore.name(),
        RestClient.JSON
            .createObjectNode()
            .put("device", demoStore.name())
            .put("outcome", "upgraded")
            .put("attempt", attempt)
            .put("started_at", startedAt.toString()));
  }

  private List<String> faults() {
    return new RolloutReport(DemoStore.all(), OPENS, devices, versions, List.of(decision)).problems();
  }
}
