package dev.uplift.temporaldev.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.upgrade.UpgradeResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DevicesPartTest {
  private final Map<String, String> before = new HashMap<>();
  private final Map<String, String> after = new HashMap<>();

  @BeforeEach
  void everythingIsServedAsItShould() {
    for (DemoDevice device : DemoDevice.withService()) {
      for (String host : device.hosts()) {
        before.put(host, device.initialVersion());
        after.put(host, device.expectedVersion());
      }
    }
  }

  @Test
  void nothingIsWrongWhenAllEndsAndServesAsItShould() {
    assertThat(faults("upgraded", "upgraded", "no-action", "rolled-back")).isEmpty();
  }

  @Test
  void anotherOutcomeIsAFault() {
    assertThat(faults("upgraded", "stranded", "no-action", "rolled-back"))
        .containsExactly("kiosk-lisbon ended stranded, expected upgraded");
  }

  @Test
  void anotherVersionServedIsAFaultWhateverTheOutcome() {
    after.put("hamburg-2", "1.4.0");
    after.put("vienna", "no answer");

    assertThat(faults("upgraded", "upgraded", "no-action", "rolled-back"))
        .containsExactly(
            "hamburg-2 serves shopd 1.4.0, expected 1.5.0", "vienna serves shopd no answer, expected 1.4.0");
  }

  private List<String> faults(String... outcomes) {
    List<UpgradeResponse> upgrades = Stream.of(outcomes).map(DevicesPartTest::ended).toList();
    return DevicesPart.report(DemoDevice.withService(), before, after, upgrades).problems();
  }

  private static UpgradeResponse ended(String outcome) {
    return new UpgradeResponse(
        "id",
        "device",
        "shopd",
        "1.5.0",
        "",
        "ended",
        outcome,
        outcome.equals("rolled-back") ? "unhealthy: no price list" : "",
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        "",
        "",
        "",
        "");
  }
}
