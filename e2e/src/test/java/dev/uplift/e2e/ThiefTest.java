package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Somebody has the credentials of the host `stolen` of the tenant `acme`, and tries everything
/// with them that is another host's, another tenant's, or the server's.
@Timeout(300)
final class ThiefTest {
  private static final Stack STACK = Stack.temporary().open();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> STREAMS = List.of("CMD", "EVT", "STATE", "TRUST");

  private static final Queue<String> REFUSALS = new ConcurrentLinkedQueue<>();
  private static Credentials stolen;
  private static Connection thief;
  private static RestClient rest;

  @BeforeAll
  static void start() throws Exception {
    SimulatedFleet.quick(STACK.server());
    STACK.start();
    rest = new RestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20);
    Host host = joined(rest, "acme", "stolen");
    joined(rest, "acme", "victim").start();
    joined(new RestClient(STACK, "umbrella"), "umbrella", "stolen");
    stolen = Credentials.read(host.credentials());
    thief =
        Nats.connect(
            Options.builder()
                .server(STACK.nats().url())
                .authHandler(Nats.credentials(host.credentials().toString()))
                .inboxPrefix("_INBOX.acme.stolen.")
                .errorListener(
                    new ErrorListener() {
                      @Override
                      public void errorOccurred(Connection connection, String error) {
                        REFUSALS.add(error);
                      }
                    })
                .build());
  }

  private static Host joined(RestClient of, String tenant, String name) {
    of.putDevice(name, name);
    Host host = STACK.host(tenant, name).has("shopd", "simulated", Map.of("version", "1.0"));
    String token =
        of.call("POST", "devices/%s/hosts/%s/enrolments".formatted(name, name), Map.of())
            .expect(201)
            .body()
            .path("token")
            .asString();
    assertThat(host.join(token).code()).isZero();
    return host;
  }

  @AfterAll
  static void stop() throws Exception {
    thief.close();
    STACK.close();
  }

  private static Stream<String> ofHost(String host) {
    return Stream.of(
        "device-cmd." + host,
        "device-state." + host + ".upgrade",
        "device-state." + host + ".info",
        "device-state." + host,
        "device-heartbeat." + host + ".1",
        "$JS.API.DIRECT.GET.CMD.device-cmd." + host,
        "$JS.API.DIRECT.GET.STATE.device-state." + host + ".info",
        "_INBOX." + host + ".1");
  }

  private static Stream<String> ofStream(String stream) {
    return Stream.of(
            "STREAM.INFO.%s",
            "STREAM.CREATE.%s",
            "STREAM.UPDATE.%s",
            "STREAM.DELETE.%s",
            "STREAM.PURGE.%s",
            "STREAM.MSG.GET.%s",
            "STREAM.MSG.DELETE.%s",
            "STREAM.SNAPSHOT.%s",
            "STREAM.RESTORE.%s",
            "STREAM.PEER.REMOVE.%s",
            "STREAM.LEADER.STEPDOWN.%s",
            "CONSUMER.CREATE.%s",
            "CONSUMER.CREATE.%s.mine",
            "CONSUMER.CREATE.%s.mine.device-cmd.acme.victim",
            "CONSUMER.DURABLE.CREATE.%s.mine",
            "CONSUMER.LIST.%s",
            "CONSUMER.NAMES.%s",
            "CONSUMER.INFO.%s.bridge",
            "CONSUMER.DELETE.%s.bridge",
            "CONSUMER.MSG.NEXT.%s.bridge",
            "CONSUMER.PAUSE.%s.bridge",
            "CONSUMER.UNPIN.%s.bridge",
            "DIRECT.GET.%s",
            "DIRECT.GET.%s.>")
        .map(api -> "$JS.API." + api.formatted(stream));
  }

  private static List<String> forbiddenToSay() {
    return Stream.of(
            ofHost("acme.victim"),
            ofHost("umbrella.stolen"),
            STREAMS.stream().flatMap(ThiefTest::ofStream),
            Stream.of(
                "device-cmd.acme.stolen",
                "device-trust.acme.1",
                "device-trust.umbrella.1",
                "$JS.API.DIRECT.GET.TRUST.device-trust.umbrella.1",
                "$JS.API.INFO",
                "$JS.API.STREAM.LIST",
                "$JS.API.STREAM.NAMES",
                "$JS.API.ACCOUNT.PURGE.STREAMS",
                "$JS.API.META.LEADER.STEPDOWN",
                "$JS.ACK.EVT.bridge.1.1.1.1.0",
                "$JS.FC.EVT.1",
                "$JS.EVENT.ADVISORY.1",
                "$SYS.REQ.CLAIMS.UPDATE",
                "$SYS.REQ.CLAIMS.DELETE",
                "$SYS.REQ.CLAIMS.LIST",
                "$SYS.REQ.SERVER.PING",
                "$SYS.REQ.USER.INFO",
                "$KV.fleet.key",
                "$O.fleet.C.1",
                "_INBOX.1",
                "anything"))
        .flatMap(subjects -> subjects)
        .toList();
  }

  private static List<String> forbiddenToHear() {
    return Stream.concat(
            Stream.of("acme.victim", "umbrella.stolen")
                .flatMap(host ->
                    Stream.of(
                        "device-cmd." + host,
                        "device-state." + host + ".upgrade",
                        "device-state." + host + ".info",
                        "device-heartbeat." + host + ".*",
                        "_INBOX." + host + ".>")),
            Stream.of(
                ">",
                "*",
                "*.>",
                "device-cmd.>",
                "device-cmd.*.*",
                "device-cmd.acme.*",
                "device-cmd.*.stolen",
                "device-state.>",
                "device-state.acme.stolen.upgrade",
                "device-heartbeat.>",
                "device-trust.>",
                "_INBOX.>",
                "_INBOX.acme.>",
                "_INBOX.*.stolen.>",
                "$JS.>",
                "$SYS.>",
                "$KV.>"))
        .toList();
  }

  @Test
  void nothingThatIsAnotherOnesCanBeSaidOrHeard() throws Exception {
    List<String> say = forbiddenToSay();
    List<String> hear = forbiddenToHear();
    REFUSALS.clear();
    for (String subject : say) {
      thief.publish(subject, "{}".getBytes(UTF_8));
    }
    List<Subscription> ears = new ArrayList<>();
    for (String subject : hear) {
      ears.add(thief.subscribe(subject));
      ears.add(thief.subscribe(subject, "group"));
    }
    thief.flush(PATIENCE);

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(REFUSALS).hasSize(say.size() + 2 * hear.size()));
    assertThat(REFUSALS).allMatch(text -> text.startsWith("Permissions Violation"));
    for (String subject : say) {
      assertThat(REFUSALS).anyMatch(text -> text.contains("\"" + subject + "\""));
    }
    for (Subscription ear : ears) {
      assertThat(ear.isActive() ? ear.nextMessage(Duration.ofMillis(1)) : null).isNull();
    }
  }

  @Test
  void ownSubjectsAreReached() throws Exception {
    assertThat(ask("device-state.acme.stolen.upgrade", "{}")).contains("\"stream\":\"EVT\"");
    assertThat(ask("$JS.API.DIRECT.GET.CMD.device-cmd.acme.stolen", "")).contains("404");
  }

  @Test
  void noAnswerOfAStreamBecomesTheCommandOfAnotherHost() throws Exception {
    rest.start("u-victim", "victim", "shopd", "2.0").expect(201);
    await().atMost(PATIENCE).until(() -> rest.outcome("u-victim").equals("upgraded"));
    String theirs = "device-cmd.acme.victim";

    thief.publish("device-state.acme.stolen.upgrade", theirs, "{}".getBytes(UTF_8));
    thief.publish("$JS.API.DIRECT.GET.CMD.device-cmd.acme.stolen", theirs, new byte[0]);
    thief.publish("$JS.API.DIRECT.GET.STATE.device-state.acme.stolen.info", theirs, new byte[0]);
    thief.flush(PATIENCE);
    assertThat(ask("device-state.acme.stolen.upgrade", "{}")).contains("\"stream\":\"EVT\"");

    Connection server =
        Nats.connect(
            Options.builder()
                .server(STACK.nats().url())
                .authHandler(Nats.credentials(STACK.nats().realm().server().toString()))
                .build());
    try {
      Message slot =
          requireNonNull(
              server.request(
                  "$JS.API.DIRECT.GET.CMD." + theirs, new byte[0], Duration.ofSeconds(10)));
      assertThat(slot.isStatusMessage()).as("the victim's slot is empty").isTrue();
    } finally {
      server.close();
    }
  }

  @Test
  void noTicketIsGivenForAnotherHost() throws Exception {
    for (RenewRequest lie :
        List.of(
            RenewRequest.of("acme", "victim", stolen.key()),
            RenewRequest.of("umbrella", "stolen", stolen.key()))) {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(STACK.server().url() + "/v1/renew"))
                      .header("Content-Type", "application/json")
                      .POST(HttpRequest.BodyPublishers.ofByteArray(lie.write()))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("key-unknown");
    }
  }

  private static String ask(String subject, String body) throws InterruptedException {
    Message answer =
        requireNonNull(thief.request(subject, body.getBytes(UTF_8), Duration.ofSeconds(10)));
    return answer.isStatusMessage()
        ? answer.getStatus().getMessageWithCode()
        : new String(answer.getData(), UTF_8);
  }
}
