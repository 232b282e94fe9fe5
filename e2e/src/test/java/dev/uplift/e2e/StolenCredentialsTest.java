package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PurgeOptions;
import io.nats.client.Subscription;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An attacker uses the credentials of the host `stolen` of the tenant `acme` for everything that belongs to other
/// hosts, other tenants or the server.
@Timeout(300)
final class StolenCredentialsTest {
  private static final Stack STACK = TestServers.stack().open();
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final Queue<String> PERMISSION_ERRORS = new ConcurrentLinkedQueue<>();
  private static Credentials stolen;
  private static final String OWN_INFO = "device-state.acme.stolen.info";
  private static Connection thief;
  private static Connection server;
  private static TestRestClient rest;

  @BeforeAll
  static void start() throws Exception {
    SimulatedFleet.withShortTimeouts(STACK.server());
    STACK.start();
    rest = new TestRestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20);
    StackHost stackHost = joined(rest, "acme", "stolen");
    joined(rest, "acme", "victim").start();
    joined(new TestRestClient(STACK, "umbrella"), "umbrella", "stolen");
    stolen = Credentials.read(stackHost.credentialsFile());
    thief =
        Nats.connect(
            Options.builder()
                .server(STACK.nats().url())
                .authHandler(Nats.credentials(stackHost.credentialsFile().toString()))
                .inboxPrefix("_INBOX.acme.stolen.")
                .errorListener(
                    new ErrorListener() {
                      @Override
                      public void errorOccurred(Connection connection, String error) {
                        PERMISSION_ERRORS.add(error);
                      }
                    })
                .build());
    server = server();
  }

  private static Connection server() throws Exception {
    return Nats.connect(
        Options.builder()
            .server(STACK.nats().url())
            .authHandler(Nats.credentials(STACK.nats().operator().serverCredentials().toString()))
            .build());
  }

  private static StackHost joined(TestRestClient of, String tenant, String name) {
    of.putDevice(name, name);
    StackHost stackHost = STACK.host(tenant, name).withPackage("shopd", "simulated", Map.of("version", "1.0"));
    String token =
        of.call("POST", "devices/%s/hosts/%s/enrolments".formatted(name, name), Map.of())
            .expectStatus(201)
            .body()
            .path("token")
            .asString();
    assertThat(stackHost.join(token).exitCode()).isZero();
    return stackHost;
  }

  @AfterAll
  static void stop() throws Exception {
    thief.close();
    server.close();
    STACK.close();
  }

  @Test
  void foreignSubjectsCanBeNeitherPublishedNorSubscribed() throws Exception {
    List<String> forbiddenPublishes = ForbiddenSubjects.publishSubjects();
    List<String> forbiddenSubscriptions = ForbiddenSubjects.subscribeSubjects();
    PERMISSION_ERRORS.clear();
    for (String subject : forbiddenPublishes) {
      thief.publish(subject, "{}".getBytes(UTF_8));
    }
    List<Subscription> subscriptions = new ArrayList<>();
    for (String subject : forbiddenSubscriptions) {
      subscriptions.add(thief.subscribe(subject));
      subscriptions.add(thief.subscribe(subject, "group"));
    }
    thief.flush(TIMEOUT);

    // Silence is not enough: each attempt must be rejected explicitly.
    List<String> expected = new ArrayList<>();
    forbiddenPublishes.forEach(
        subject -> expected.add("Permissions Violation for Publish to \"%s\"".formatted(subject)));
    for (String subject : forbiddenSubscriptions) {
      String rejection = "Permissions Violation for Subscription to \"%s\"".formatted(subject);
      expected.add(rejection);
      expected.add(rejection + " using queue \"group\"");
    }
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(PERMISSION_ERRORS).hasSize(expected.size()));
    assertThat(PERMISSION_ERRORS).containsExactlyInAnyOrderElementsOf(expected);
    for (Subscription ear : subscriptions) {
      assertThat(ear.isActive() ? ear.nextMessage(Duration.ofMillis(1)) : null).isNull();
    }
  }

  @Test
  void ownSubjectsCanBeUsed() throws Exception {
    assertThat(request("device-state.acme.stolen.upgrade", "{}")).contains("\"stream\":\"EVT\"");
    assertThat(request(OWN_INFO, "{\"mine\":1}")).contains("\"stream\":\"STATE\"");
    assertThat(request("$JS.API.DIRECT.GET.STATE." + OWN_INFO, "")).isEqualTo("{\"mine\":1}");
    assertThat(request("$JS.API.DIRECT.GET.CMD.device-cmd.acme.stolen", "")).contains("404");
    assertThat(request("$JS.API.DIRECT.GET.TRUST.device-trust.acme.1", "")).contains("signature");

    Subscription notifications = thief.subscribe("device-cmd.acme.stolen");
    thief.flush(TIMEOUT);
    server.publish("device-cmd.acme.stolen", "{}".getBytes(UTF_8));
    assertThat(notifications.nextMessage(TIMEOUT)).isNotNull();
    Subscription beats = server.subscribe("device-heartbeat.acme.stolen.*");
    server.flush(TIMEOUT);
    thief.publish("device-heartbeat.acme.stolen.1", "{}".getBytes(UTF_8));
    assertThat(beats.nextMessage(TIMEOUT)).isNotNull();
    notifications.unsubscribe();
    server.jetStreamManagement().purgeStream("CMD", PurgeOptions.subject("device-cmd.acme.stolen"));
  }

  /// A direct get of its own subject rejects every body that asks for more.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"last_by_subj\":\"device-state.acme.victim.info\"}",
        "{\"next_by_subj\":\"device-state.*.*.info\",\"seq\":1}",
        "{\"seq\":1}",
        "{\"multi_last\":[\"device-state.>\"]}",
        "{\"batch\":10,\"seq\":1,\"next_by_subj\":\">\"}"
      })
  void aDirectGetWhoseBodyAsksForAnotherMessageIsRejected(String body) throws Exception {
    for (String own : List.of("CMD.device-cmd.acme.stolen", "STATE." + OWN_INFO)) {
      assertThat(request("$JS.API.DIRECT.GET." + own, body)).contains("408");
    }
  }

  /// Headers that make a stream do more than store the message.
  @ParameterizedTest
  @CsvSource({
    "Nats-Rollup, all",
    "Nats-Rollup, sub",
    "Nats-Expected-Stream, CMD",
    "Nats-TTL, 1s",
    "Nats-Incr, +1",
    "Nats-Batch-Id, mine",
    "Nats-Schedule, @at 2020-01-01T00:00:00Z"
  })
  void aHeaderThatWouldChangeAStreamIsRejected(String name, String value) throws Exception {
    var headers = new Headers().put(name, value);
    headers.put("Nats-Batch-Sequence", "1");
    headers.put("Nats-Schedule-Target", "device-state.acme.victim.info");
    for (String own : List.of("device-state.acme.stolen.upgrade", OWN_INFO)) {
      Message message = NatsMessage.builder().subject(own).headers(headers).data("{}".getBytes(UTF_8)).build();
      Message answer = requireNonNull(thief.request(message, Duration.ofSeconds(10)));
      assertThat(new String(answer.getData(), UTF_8)).as("%s: %s", name, value).contains("error");
    }
  }

  /// The requester chooses the reply subject, so a reply must not count as a message anywhere.
  @Test
  void noReplyOfAStreamCountsAsAMessageOfAnotherHostOrACommandToIt() throws Exception {
    rest.startUpgrade("u-victim", "victim", "shopd", "2.0").expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-victim").equals("upgraded"));
    assertThat(request(OWN_INFO, "{\"forged\":1}")).contains("\"stream\":\"STATE\"");
    List<String> theirs =
        Stream.of("acme.victim", "umbrella.stolen")
            .flatMap(host ->
                Stream.of(
                    "device-cmd." + host,
                    "device-state." + host + ".upgrade",
                    "device-state." + host + ".info",
                    "device-heartbeat." + host + ".1"))
            .toList();
    Subscription forged = server.subscribe("device-heartbeat.*.*.1");
    Subscription said = server.subscribe("device-state.>");
    server.flush(TIMEOUT);

    for (String reply : Stream.concat(theirs.stream(), Stream.of("device-trust.acme.2")).toList()) {
      thief.publish("device-state.acme.stolen.upgrade", reply, "{}".getBytes(UTF_8));
      thief.publish("$JS.API.DIRECT.GET.CMD.device-cmd.acme.stolen", reply, new byte[0]);
      thief.publish("$JS.API.DIRECT.GET.STATE." + OWN_INFO, reply, new byte[0]);
      thief.publish("$JS.API.DIRECT.GET.TRUST.device-trust.acme.1", reply, new byte[0]);
    }
    thief.flush(TIMEOUT);
    // The streams answer in order, so all is answered by now.
    assertThat(request("device-state.acme.stolen.upgrade", "{}")).contains("\"stream\":\"EVT\"");
    assertThat(request("$JS.API.DIRECT.GET.STATE." + OWN_INFO, "")).isEqualTo("{\"forged\":1}");
    assertThat(request("$JS.API.DIRECT.GET.TRUST.device-trust.acme.2", "")).contains("404");

    server.flush(TIMEOUT);
    assertThat(forged.nextMessage(Duration.ofSeconds(1))).as("a heartbeat").isNull();
    for (Message each = said.nextMessage(Duration.ofMillis(200));
        each != null;
        each = said.nextMessage(Duration.ofMillis(200))) {
      if (theirs.contains(each.getSubject())) {
        // The victim itself may publish meanwhile.
        assertThat(new String(each.getData(), UTF_8))
            .as(each.getSubject())
            .isNotEmpty()
            .doesNotContain("forged", "\"stream\"", "signature");
      }
    }
    for (String subject : List.of("device-cmd.acme.victim", "device-cmd.umbrella.stolen")) {
      Message found = requireNonNull(server.request("$JS.API.DIRECT.GET.CMD." + subject, null, Duration.ofSeconds(10)));
      assertThat(found.isStatusMessage()).as("%s is empty", subject).isTrue();
    }
  }

  @Test
  void noJwtIsIssuedForAnotherHost() throws Exception {
    for (String[] victim : List.of(new String[] {"acme", "victim"}, new String[] {"umbrella", "stolen"})) {
      HttpResponse<String> first = renew(RenewRequest.of(victim[0], victim[1], stolen.key(), ""));
      assertThat(first.statusCode()).isEqualTo(403);
      assertThat(first.body()).contains("challenge-required");
      String challenge = first.headers().firstValue(RenewRequest.CHALLENGE_HEADER).orElseThrow();
      HttpResponse<String> answer = renew(RenewRequest.of(victim[0], victim[1], stolen.key(), challenge));
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("key-unknown");
    }
  }

  private static HttpResponse<String> renew(RenewRequest request) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(STACK.server().url() + "/v1/renew"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(request.write()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static String request(String subject, String body) throws InterruptedException {
    Message answer = requireNonNull(thief.request(subject, body.getBytes(UTF_8), Duration.ofSeconds(10)));
    return answer.isStatusMessage() ? answer.getStatus().getMessageWithCode() : new String(answer.getData(), UTF_8);
  }
}
