package dev.uplift.services.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class HostHeartbeatsTest {
  private static final Instant START = Instant.parse("2026-03-29T01:30:00Z");
  private static final Duration SILENT_AFTER = Duration.ofSeconds(100);

  @Test
  void theOnlyInstanceIsCountedFromItsFirstHeartbeatOn() {
    HostHeartbeats heard = after(after(after(HostHeartbeats.NONE, "a", 1), "a", 31), "a", 61);

    assertThat(heard.all()).containsExactly(new InstanceHeartbeats(START.plusSeconds(1), beat("a", 61), 3));
    assertThat(heard.newest()).contains(beat("a", 61));
  }

  @Test
  void theOnlyInstanceIsCountedAfterASilenceAsWell() {
    HostHeartbeats heard = after(after(HostHeartbeats.NONE, "a", 1), "a", 1000);

    assertThat(heard.all()).containsExactly(new InstanceHeartbeats(START.plusSeconds(1), beat("a", 1000), 2));
  }

  @Test
  void anotherInstanceInterruptsTheFirst() {
    HostHeartbeats heard = after(after(after(HostHeartbeats.NONE, "a", 1), "a", 31), "b", 32);

    assertThat(heard.all())
        .containsExactlyInAnyOrder(
            new InstanceHeartbeats(START.plusSeconds(1), beat("a", 31), 0),
            new InstanceHeartbeats(START.plusSeconds(32), beat("b", 32), 1));
    assertThat(heard.newest()).contains(beat("b", 32));
  }

  @Test
  void anInstanceThatWasSilentForTooLongIsForgottenWhenAnotherOneIsHeard() {
    HostHeartbeats heard = after(after(HostHeartbeats.NONE, "a", 1), "b", 102);

    assertThat(heard.all()).containsExactly(InstanceHeartbeats.of(beat("b", 102)));
  }

  @Test
  void aHostThatWasNeverHeardHasNoNewestHeartbeat() {
    assertThat(HostHeartbeats.NONE.newest()).isEmpty();
  }

  private static HostHeartbeats after(HostHeartbeats heard, String instance, int second) {
    ReceivedHeartbeat beat = beat(instance, second);
    return heard.with(beat, beat.receivedAt().minus(SILENT_AFTER));
  }

  private static ReceivedHeartbeat beat(String instance, int second) {
    Instant at = START.plusSeconds(second);
    var heartbeat = new Heartbeat(Heartbeat.State.RUNNING, "boot-1", new TreeMap<>(), false, at);
    return new ReceivedHeartbeat("acme", new HostId("left"), instance, heartbeat, at);
  }
}
