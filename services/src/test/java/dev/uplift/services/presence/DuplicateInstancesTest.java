package dev.uplift.services.presence;

import static dev.uplift.protocol.Heartbeat.State.RUNNING;
import static dev.uplift.protocol.Heartbeat.State.STANDBY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Detects two machines that work as one host, from heartbeats a second apart.
final class DuplicateInstancesTest {
  private static final Instant START = Instant.parse("2026-03-29T01:30:00Z");
  private static final Duration SILENT_AFTER = Duration.ofSeconds(100);

  record HeartbeatAt(String instance, String boot, Heartbeat.State state, int second) {}

  record Case(String name, boolean duplicates, List<HeartbeatAt> beats) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static HeartbeatAt a(int second) {
    return new HeartbeatAt("a", "boot-1", RUNNING, second);
  }

  private static HeartbeatAt b(int second) {
    return new HeartbeatAt("b", "boot-2", RUNNING, second);
  }

  static final List<Case> CASES =
      List.of(
          new Case("no heartbeat", false, List.of()),
          new Case("one machine", false, List.of(a(1), a(2))),
          new Case("one machine after a reboot", false, List.of(a(1), a(2), b(3), b(4))),
          new Case("heartbeats of both, alternating", true, List.of(a(1), b(2), a(3))),
          new Case("heartbeats of both, twice", true, List.of(a(1), b(2), a(3), b(4))),
          new Case("one has been silent for long", false, List.of(a(1), b(2), a(3), b(104))),
          new Case(
              "an agent follows another one in the same boot",
              false,
              List.of(a(1), new HeartbeatAt("c", "boot-1", RUNNING, 2), a(3))),
          new Case(
              "one of another boot stands by", false, List.of(a(1), new HeartbeatAt("b", "boot-2", STANDBY, 2), a(3))));

  @ParameterizedTest
  @FieldSource("CASES")
  void isReportedForTwoMachinesAtTheSameTime(Case one) {
    HostHeartbeats heard = HostHeartbeats.NONE;
    Instant last = START;
    for (HeartbeatAt heartbeatAt : one.beats()) {
      last = START.plusSeconds(heartbeatAt.second());
      heard = heard.with(heard(heartbeatAt, last), last.minus(SILENT_AFTER));
    }
    assertThat(heard.duplicateInstances(last.minus(SILENT_AFTER)).isPresent()).isEqualTo(one.duplicates());
  }

  private static ReceivedHeartbeat heard(HeartbeatAt heartbeatAt, Instant at) {
    Heartbeat said = new Heartbeat(heartbeatAt.state(), heartbeatAt.boot(), new TreeMap<>(), false, at);
    return new ReceivedHeartbeat("acme", new HostId("left"), heartbeatAt.instance(), said, at);
  }
}
