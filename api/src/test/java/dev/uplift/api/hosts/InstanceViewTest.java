package dev.uplift.api.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.services.presence.HostHeartbeats;
import dev.uplift.services.presence.InstanceHeartbeats;
import dev.uplift.services.presence.ReceivedHeartbeat;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class InstanceViewTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
  private static final Instant SILENT = NOW.minusSeconds(100);
  private static final AgentSelfReport OLD =
      new AgentSelfReport("old", "1.0", Optional.of("1.9: it crashed"), Map.of());

  @Test
  void bothAgentsOfAHandoverAreShownTheActiveOneFirst() {
    List<InstanceView> shown =
        shown(
            beat("new", State.STANDBY, NOW, true, Map.of("uplift-agent", "2.0")),
            beat("old", State.CUTOVER_READY, NOW.minusSeconds(20), false, Map.of("shopd", "7", "uplift-agent", "1.0")));

    assertThat(shown)
        .containsExactly(
            new InstanceView(
                "old", "cutover-ready", "1.0", false, NOW.minusSeconds(20), Optional.of("1.9: it crashed")),
            new InstanceView("new", "standby", "2.0", true, NOW, Optional.empty()));
  }

  @Test
  void agentWithoutAReportedVersionIsUnknown() {
    assertThat(shown(beat("new", State.RUNNING, NOW, true, Map.of("shopd", "7"))))
        .extracting(InstanceView::version)
        .containsExactly("unknown");
    assertThat(shown(beat("new", State.STANDBY, NOW, true, Map.of())))
        .extracting(InstanceView::version)
        .containsExactly("unknown");
  }

  @Test
  void silentAgentIsNotShown() {
    assertThat(shown(beat("old", State.RUNNING, SILENT, false, Map.of()))).isEmpty();
  }

  private static List<InstanceView> shown(ReceivedHeartbeat... beats) {
    Map<String, InstanceHeartbeats> instances =
        Arrays.stream(beats).collect(Collectors.toMap(ReceivedHeartbeat::instance, InstanceHeartbeats::of));
    return InstanceView.of(new HostHeartbeats(instances), SILENT, OLD);
  }

  private static ReceivedHeartbeat beat(
      String instance, State state, Instant at, boolean trial, Map<String, String> versions) {
    return new ReceivedHeartbeat(
        "acme", new HostId("left"), instance, new Heartbeat(state, "boot-1", new TreeMap<>(versions), trial, at), at);
  }
}
