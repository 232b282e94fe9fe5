package dev.uplift.services.presence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.services.presence.Presence.HostsByPresence;
import dev.uplift.temporaldev.stack.Stack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nats.client.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PresenceTest {
  private static final Duration SILENT_AFTER = Duration.ofSeconds(100);
  private static final HostId LEFT = new HostId("left");

  private final Stack stack = TestStacks.open();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-29T01:30:00Z"));
  private final InstantSource clock = now::get;
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), clock);
  private final Presence presence = new Presence(nats, clock, SILENT_AFTER, new RejectedMessages(meters));
  private Connection device;

  @BeforeEach
  void start() throws Exception {
    stack.nats().start();
    device = TestStacks.connectAsDevice(stack, TestStacks.TENANT);
    nats.addInitializer(presence);
    nats.start();
    await().until(() -> nats.status().connected());
  }

  @AfterEach
  void stop() throws Exception {
    device.close();
    presence.close();
    nats.close();
    stack.close();
  }

  @Test
  void presenceIsUnknownUntilConnectedForLongEnough() {
    assertThat(seen()).isInstanceOf(PresenceStatus.Unknown.class);

    passesInSilence();

    assertThat(seen()).isInstanceOf(PresenceStatus.Silent.class);
  }

  @Test
  void hostIsAliveWithHeartbeatsAndSilentAfterTheLastOne() throws Exception {
    beat(Subjects.heartbeat("acme.left", "one"), "1.4.0");
    await().until(() -> seen() instanceof PresenceStatus.Alive);
    Instant last = ((PresenceStatus.Alive) seen()).newest().receivedAt();

    passesInSilence();

    assertThat(seen()).isEqualTo(new PresenceStatus.Silent(last));
  }

  @Test
  void silenceWhileDisconnectedIsNotSilenceOfTheHost() throws Exception {
    beat(Subjects.heartbeat("acme.left", "one"), "1.4.0");
    await().until(() -> seen() instanceof PresenceStatus.Alive);

    stack.nats().kill();
    await().until(() -> !nats.status().connected());
    passesInSilence();
    assertThat(seen()).isInstanceOf(PresenceStatus.Unknown.class);
    stack.nats().start();
    await().atMost(Duration.ofSeconds(75)).until(() -> nats.status().connected());

    assertThat(seen()).as("until connected for long enough again").isInstanceOf(PresenceStatus.Unknown.class);
    passesInSilence();
    assertThat(seen()).isInstanceOf(PresenceStatus.Silent.class);
  }

  @Test
  void hostsAreUnknownWhenThisProcessStoodStill() throws Exception {
    beat(Subjects.heartbeat("acme.left", "one"), "1.4.0");
    await().until(() -> seen() instanceof PresenceStatus.Alive);

    now.updateAndGet(before -> before.plusSeconds(120));

    assertThat(seen())
        .asInstanceOf(type(PresenceStatus.Unknown.class))
        .satisfies(unknown ->
            assertThat(unknown.reason()).contains("this server stood still, and listens to hosts again since"));
    passesInSilence();
    assertThat(seen()).as("nothing was heard since").isInstanceOf(PresenceStatus.Silent.class);
  }

  @Test
  void hostsAreUnknownWhileManyAreSilentAtTheSameTime() throws Exception {
    beatAll(0, 10);

    passesInSilence();

    assertThat(status(0))
        .asInstanceOf(type(PresenceStatus.Unknown.class))
        .satisfies(unknown ->
            assertThat(unknown.reason())
                .contains("an outage between hosts and NATS is suspected since", "10 of 10 hosts"));
    assertThat(presence.describeOutage("acme")).isPresent();
    assertThat(presence.describeOutage("other")).isEmpty();
    assertThat(presence.suspectedOutages()).hasSize(1);
  }

  @Test
  void hostsAreCountedByTheirPresence() throws Exception {
    beatAll(0, 3);
    assertThat(presence.countHosts(5)).as("just connected").isEqualTo(new HostsByPresence(3, 0, 2));

    passesInSilence();
    beatAll(0, 2);

    assertThat(presence.countHosts(5)).isEqualTo(new HostsByPresence(2, 3, 0));
    assertThat(presence.countHosts(1)).as("some of them on no device").isEqualTo(new HostsByPresence(2, 0, 0));
  }

  @Test
  void hostsInASuspectedOutageCountAsUnknown() throws Exception {
    beatAll(0, 10);
    passesInSilence();

    assertThat(presence.countHosts(12)).isEqualTo(new HostsByPresence(0, 2, 10));
  }

  @Test
  void suspectedOutageEndsWhenMostHostsAreHeardAgain() throws Exception {
    beatAll(0, 10);
    passesInSilence();

    beatAll(0, 9);
    passes(6);

    assertThat(presence.describeOutage("acme")).isEmpty();
    assertThat(status(0)).isInstanceOf(PresenceStatus.Alive.class);
    assertThat(status(9)).as("has as long as after any break").isInstanceOf(PresenceStatus.Unknown.class);
    passes(40);
    beatAll(0, 9);
    passes(40);
    beatAll(0, 9);
    passes(40);
    assertThat(status(9)).isInstanceOf(PresenceStatus.Silent.class);
  }

  @Test
  void fewSilentHostsAmongManyAreSilent() throws Exception {
    beatAll(0, 10);
    passes(40);
    beatAll(0, 8);
    passes(40);
    beatAll(0, 8);
    passes(40);

    assertThat(status(9)).isInstanceOf(PresenceStatus.Silent.class);
    assertThat(presence.suspectedOutages()).isEmpty();
  }

  @Test
  void suspectedOutageDoesNotLastForEver() throws Exception {
    beatAll(0, 10);
    passesInSilence();

    passes(Math.toIntExact(Duration.ofHours(6).plus(SILENT_AFTER).toSeconds()) + 6);

    assertThat(presence.suspectedOutages()).isEmpty();
    assertThat(status(0)).isInstanceOf(PresenceStatus.Silent.class);
  }

  @Test
  void hostsThatStayAwayAfterOurOwnBreakAreAnOutageToo() throws Exception {
    beatAll(0, 10);
    now.updateAndGet(before -> before.plus(Duration.ofHours(3)));

    passesInSilence();

    assertThat(status(0)).isInstanceOf(PresenceStatus.Unknown.class);
    assertThat(presence.suspectedOutages()).hasSize(1);
  }

  @Test
  void agentsOfOneHostAreDistinguished() throws Exception {
    beat(Subjects.heartbeat("acme.left", "one"), "1.4.0");
    beat(Subjects.heartbeat("acme.left", "two"), "1.5.0");

    await().until(() -> presence.heartbeats("acme", LEFT).all().size() == 2);
    assertThat(presence.heartbeats("acme", LEFT).of("one").orElseThrow().newest().heartbeat().version("os"))
        .isEqualTo("1.4.0");
  }

  @Test
  void malformedHeartbeatIsRejectedAndCounted() throws Exception {
    device.publish(Subjects.heartbeat("acme.left", "one"), "{}".getBytes(UTF_8));
    device.publish(Subjects.heartbeat("acme._left", "one"), "{}".getBytes(UTF_8));

    await().until(() -> meters.counter("uplift.messages.rejected", "kind", "heartbeat").count() == 2);
    assertThat(presence.heartbeats("acme", LEFT).all()).isEmpty();
  }

  /// Advances the clock by a little more than the silence threshold.
  private void passesInSilence() {
    passes(Math.toIntExact(SILENT_AFTER.toSeconds()) + 1);
  }

  /// Advances the clock second by second, as this process sees it.
  private void passes(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.updateAndGet(before -> before.plusSeconds(1));
      presence.tick();
    }
  }

  /// Sends a heartbeat of each of these hosts and waits until all are stored.
  private void beatAll(int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      beat(Subjects.heartbeat("acme.host-" + i, "one"), "1.4.0");
    }
    await()
        .until(() ->
            IntStream.range(from, to)
                .allMatch(i ->
                    presence.heartbeats("acme", host(i)).newest().stream()
                        .anyMatch(beat -> beat.receivedAt().equals(now.get()))));
  }

  private PresenceStatus status(int host) {
    return presence.status("acme", host(host));
  }

  private static HostId host(int number) {
    return new HostId("host-" + number);
  }

  private PresenceStatus seen() {
    return presence.status("acme", LEFT);
  }

  private void beat(String subject, String version) throws Exception {
    Heartbeat heartbeat =
        new Heartbeat(Heartbeat.State.RUNNING, "boot-1", new TreeMap<>(Map.of("os", version)), false, Instant.now());
    device.publish(subject, heartbeat.write());
    device.flush(Duration.ofSeconds(60));
  }
}
