package dev.uplift.temporaldev.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The permissions of a device's login.
final class NatsAccountsTest {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration LONG_ENOUGH = Duration.ofMillis(300);

  private static Stack stack;
  private static NatsTestClient server;
  private NatsTestClient acme;
  private NatsTestClient other;

  @BeforeAll
  static void start() throws Exception {
    stack = Stack.temporary().open();
    stack.nats().start();
    server = NatsTestClient.connectAsServer(stack.nats());
    stream("CMD", "device-cmd.>", 1);
    stream("EVT", "device-state.*.*.upgrade", -1);
    stream("STATE", "device-state.*.*.info", 1);
  }

  private static void stream(String name, String subject, long perSubject) throws Exception {
    server
        .connection()
        .jetStreamManagement()
        .addStream(
            StreamConfiguration.builder()
                .name(name)
                .subjects(subject)
                .maxMessagesPerSubject(perSubject)
                .allowDirect(true)
                .build());
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    stack.close();
  }

  @BeforeEach
  void connect() throws Exception {
    acme = NatsTestClient.connectAsFleet(stack.nats(), "acme");
    other = NatsTestClient.connectAsFleet(stack.nats(), "other");
  }

  @AfterEach
  void disconnect() throws Exception {
    acme.close();
    other.close();
  }

  @Test
  void aDeviceHearsItsBellAndReadsItsSlot() throws Exception {
    Subscription bell = acme.connection().subscribe("device-cmd.acme.left");
    acme.connection().flush(SOON);

    server.connection().jetStream().publish("device-cmd.acme.left", "do".getBytes(UTF_8));

    Message rang = bell.nextMessage(SOON);
    assertThat(new String(rang.getData(), UTF_8)).isEqualTo("do");
    assertThat(acme.request("$JS.API.DIRECT.GET.CMD.device-cmd.acme.left", "")).isEqualTo("do");
    assertThat(acme.request("$JS.API.DIRECT.GET.CMD.device-cmd.acme.idle", "")).contains("404");
  }

  @Test
  void whatADeviceSaysIsAcknowledgedAndKept() throws Exception {
    assertThat(acme.request("device-state.acme.left.upgrade", "{}")).contains("\"stream\":\"EVT\"");
    assertThat(acme.request("device-state.acme.left.info", "here")).contains("\"stream\":\"STATE\"");
    assertThat(acme.request("$JS.API.DIRECT.GET.STATE.device-state.acme.left.info", "")).isEqualTo("here");
  }

  @Test
  void theServerHearsHeartbeats() throws Exception {
    Subscription beats = server.connection().subscribe("device-heartbeat.*.*.*");
    server.connection().flush(SOON);

    acme.connection().publish("device-heartbeat.acme.left.1", "beat".getBytes(UTF_8));

    assertThat(beats.nextMessage(SOON)).isNotNull();
  }

  @Test
  void anotherTenantsDevicesAreOutOfReach() throws Exception {
    server.connection().jetStream().publish("device-cmd.acme.left", "secret".getBytes(UTF_8));
    Subscription beats = server.connection().subscribe("device-heartbeat.acme.*.*");
    Subscription spy = other.connection().subscribe("device-cmd.acme.left");
    Subscription all = other.connection().subscribe("device-cmd.>");
    server.connection().flush(SOON);
    long events = kept("EVT");

    assertThat(other.request("$JS.API.DIRECT.GET.CMD.device-cmd.acme.left", "")).isEqualTo("nothing");
    assertThat(other.request("$JS.API.DIRECT.GET.STATE.device-state.acme.left.info", "")).isEqualTo("nothing");
    assertThat(other.request("device-state.acme.left.upgrade", "lie")).isEqualTo("nothing");
    other.connection().publish("device-heartbeat.acme.left.1", new byte[0]);
    server.connection().jetStream().publish("device-cmd.acme.left", "again".getBytes(UTF_8));

    assertThat(spy.nextMessage(LONG_ENOUGH)).isNull();
    assertThat(all.nextMessage(LONG_ENOUGH)).isNull();
    assertThat(beats.nextMessage(LONG_ENOUGH)).isNull();
    assertThat(kept("EVT")).isEqualTo(events);
    assertThat(other.refusals()).hasSize(6).allMatch(text -> text.startsWith("Permissions Violation"));
  }

  @Test
  void noDeviceReachesJetStreamItself() throws Exception {
    assertThat(acme.request("$JS.API.INFO", "")).isEqualTo("nothing");
    assertThat(acme.request("$JS.API.STREAM.LIST", "")).isEqualTo("nothing");
    assertThat(acme.request("$JS.API.STREAM.INFO.CMD", "")).isEqualTo("nothing");
    assertThat(acme.request("$JS.API.STREAM.PURGE.CMD", "")).isEqualTo("nothing");
    assertThat(acme.request("$JS.API.DIRECT.GET.CMD", "{\"last_by_subj\":\"device-cmd.other.left\"}"))
        .isEqualTo("nothing");
    assertThat(acme.request("$JS.API.CONSUMER.CREATE.EVT", "{}")).isEqualTo("nothing");
    assertThat(acme.refusals()).hasSize(6);
  }

  @Test
  void noDeviceWritesACommandNorHasJetStreamWriteOne() throws Exception {
    server.connection().jetStream().publish("device-cmd.acme.left", "mine".getBytes(UTF_8));
    server.connection().jetStream().publish("device-cmd.other.left", "theirs".getBytes(UTF_8));

    assertThat(acme.request("device-cmd.acme.left", "forged")).isEqualTo("nothing");
    // JetStream responds to the subject of the request; here that is one in the devices' account.
    acme.connection().publish("device-state.acme.left.upgrade", "device-cmd.other.left", "e".getBytes(UTF_8));
    acme.connection().publish("$JS.API.DIRECT.GET.CMD.device-cmd.acme.left", "device-cmd.other.left", new byte[0]);
    acme.connection().flush(SOON);
    assertThat(acme.request("device-state.acme.left.upgrade", "{}")).contains("EVT");

    assertThat(acme.request("$JS.API.DIRECT.GET.CMD.device-cmd.acme.left", "")).isEqualTo("mine");
    assertThat(other.request("$JS.API.DIRECT.GET.CMD.device-cmd.other.left", "")).isEqualTo("theirs");
  }

  @Test
  void aDeviceListensOnInboxesOfItsTenantOnly() throws Exception {
    Subscription inboxes = acme.connection().subscribe("_INBOX.other.>");
    acme.connection().flush(SOON);

    assertThat(other.request("device-state.other.left.upgrade", "{}")).contains("EVT");

    assertThat(inboxes.nextMessage(LONG_ENOUGH)).isNull();
    assertThat(acme.refusals()).hasSize(1);
  }

  @Test
  void aNewTenantsDevicesLogInAtOnce() throws Exception {
    try (NatsTestClient late = NatsTestClient.connectAsFleet(stack.nats(), "late")) {
      assertThat(late.request("device-state.late.left.info", "x")).contains("STATE");
    }
  }

  private static long kept(String stream) throws Exception {
    return server.connection().jetStreamManagement().getStreamInfo(stream).getStreamState().getMsgCount();
  }
}
