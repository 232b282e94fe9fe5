package dev.uplift.temporaldev.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.upgrade.UpgradeResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AgentsPartTest {
  private static final String LOST = "reverted: vienna runs 0.1.0 again: 0.3.0: no heartbeat of it";

  private final List<DemoDevice> devices = DemoDevice.withAgents("0.1.0");
  private final Map<String, List<String>> alive = new TreeMap<>();
  private final List<String> handedOver = new ArrayList<>();

  @BeforeEach
  void everyAgentWorksAsItShould() {
    for (DemoDevice device : devices) {
      device.hosts().forEach(host -> alive.put(host, List.of(device.expectedVersion())));
    }
    handedOver.addAll(List.of("hamburg-1", "hamburg-2", "hamburg-3", "oslo"));
  }

  @Test
  void nothingIsWrongWhenAllTakeOverAndTheLostOneComesBack() {
    assertThat(faults(ended("upgraded", ""), ended("rolled-back", LOST))).isEmpty();
  }

  @Test
  void twoAgentsThatStayAreAFault() {
    alive.put("oslo", List.of("0.1.0", "0.2.0"));

    assertThat(faults(ended("upgraded", ""), ended("rolled-back", LOST)))
        .containsExactly("oslo has the agents [0.1.0, 0.2.0], expected 0.2.0 alone");
  }

  @Test
  void unobservedHandoverIsAProblem() {
    handedOver.remove("oslo");
    handedOver.add("vienna");

    assertThat(faults(ended("upgraded", ""), ended("rolled-back", LOST)))
        .containsExactly("oslo was never seen with both agents", "vienna was handed over");
  }

  @Test
  void anotherOutcomeOrAnotherReasonIsAFault() {
    assertThat(faults(ended("stranded", ""), ended("rolled-back", "")))
        .containsExactly(
            "shop-oslo ended stranded, expected upgraded", "shop-vienna says \"\", expected \"no heartbeat of it\"");
  }

  private List<String> faults(UpgradeResponse oslo, UpgradeResponse vienna) {
    List<UpgradeResponse> upgrades = List.of(ended("upgraded", ""), oslo, vienna);
    return AgentsPart.report(devices, upgrades, alive, handedOver::contains).problems();
  }

  private static UpgradeResponse ended(String outcome, String reason) {
    var json = RestClient.JSON.createObjectNode().put("outcome", outcome);
    json.putObject("reason").put("message", reason);
    return UpgradeResponse.of(json);
  }
}
