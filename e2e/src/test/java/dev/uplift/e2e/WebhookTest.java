package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A webhook on a real stack: its receiver gets every event in its order, however often the server is killed.
@Timeout(300)
final class WebhookTest {
  private static final String TENANT = "acme";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final JsonMapper JSON = new JsonMapper();

  private final Stack stack = TestServers.stack().open();
  private final List<JsonNode> received = new CopyOnWriteArrayList<>();
  private final HttpServer receiver = receiver();
  private final ReentrantLock answering = new ReentrantLock();
  private volatile int status = 204;

  @AfterEach
  void endAll() {
    receiver.stop(0);
    stack.close();
  }

  @Test
  void theReceiverGetsEveryEventInItsOrderAlsoWhenTheServerIsKilled() {
    stack.server().environment("UPLIFT_WEBHOOKS_PRIVATE_RECEIVERS", "yes");
    stack.start();
    var rest = new TestRestClient(stack, TENANT);
    rest.publish("shopd", "simulated", "0.9", 9);
    rest.call("PUT", "webhooks/chat", Map.of("url", url())).expectStatus(201);
    JsonNode test = rest.call("POST", "webhooks/chat/test", Map.of()).expectStatus(200).body();
    assertThat(test.path("accepted").asBoolean()).isTrue();
    assertThat(received.getFirst().path("type").asString()).isEqualTo("webhook.test");
    received.clear();

    rest.publish("shopd", "simulated", "1.0", 10);
    awaitEvents(1);
    status = 500;
    rest.publish("shopd", "simulated", "2.0", 20);
    await("it fails").atMost(TIMEOUT).until(() -> shown(rest).has("failing_since"));
    stack.server().kill();
    stack.server().start();
    for (int i = 3; i <= 6; i++) {
      rest.publish("shopd", "simulated", i + ".0", 10L * i);
    }
    status = 204;

    awaitEvents(6);
    assertThat(numbersWithoutRepeats()).containsExactlyElementsOf(LongStream.rangeClosed(2, 7).boxed().toList());
    await("its position is known").atMost(TIMEOUT).until(() -> shown(rest).path("position").asLong() == 7);
    assertThat(shown(rest).path("last_delivered_event").asLong()).isEqualTo(7);
    assertThat(shown(rest).path("failures").asInt()).isZero();
  }

  @Test
  void anUpgradeThatWaitsTooLongForAPersonIsToldOnceAlsoWhenTheServerIsKilled() {
    SimulatedFleet.withShortTimeouts(stack.server()).environment("UPLIFT_WEBHOOKS_PRIVATE_RECEIVERS", "yes");
    stack.start();
    var rest = new TestRestClient(stack, TENANT);
    new SimulatedFleet(stack, rest, 1).start(List.of("shopd", "till"), _ -> "one");
    rest.publish("shopd", "simulated", "3.0", 30);
    Map<String, ?> webhook = Map.of("url", url(), "events", List.of("upgrade.ended"), "escalate_after_seconds", 1);
    rest.call("PUT", "webhooks/chat", webhook).expectStatus(201);

    rest.startUpgrade("waits", SimulatedFleet.name(0), "shopd", "3.0", Map.of("require_approval", true))
        .expectStatus(201);

    awaitEvents(1);
    JsonNode escalated = received.getFirst().path("data");
    assertThat(escalated.path("kind").asString()).isEqualTo("upgrade.wait-escalated");
    assertThat(escalated.path("upgrade").asString()).isEqualTo("waits");
    assertThat(escalated.path("device").asString()).isEqualTo(SimulatedFleet.name(0));
    assertThat(escalated.path("result").asString()).isEqualTo("approval");
    assertThat(escalated.path("webhook").asString()).isEqualTo("chat");
    stack.server().kill();
    stack.server().start();
    rest.sendAction("waits", "abort", Map.of()).expectStatus(200);
    awaitEvents(2);
    assertThat(received.getLast().path("type").asString()).isEqualTo("upgrade.ended");
  }

  /// A message has 15 s, and what waits for its answer is interrupted.
  @Test
  void aServerEndsWhileAReceiverDoesNotAnswer() {
    stack.server().environment("UPLIFT_WEBHOOKS_PRIVATE_RECEIVERS", "yes");
    stack.start();
    var rest = new TestRestClient(stack, TENANT);
    rest.call("PUT", "webhooks/chat", Map.of("url", url())).expectStatus(201);
    answering.lock();
    try {
      rest.publish("shopd", "simulated", "1.0", 10);
      await("a message has arrived").atMost(TIMEOUT).until(answering::hasQueuedThreads);

      stack.server().stop();
    } finally {
      answering.unlock();
    }

    assertThat(stack.server().lastStop()).hasValueSatisfying(stop -> assertThat(stop.killed()).isFalse());
    stack.server().start();
    await("it is delivered").atMost(TIMEOUT).until(() -> shown(rest).path("last_delivered_event").asLong(0) > 0);
  }

  /// The first event was published before the webhook was put.
  private void awaitEvents(int count) {
    await("%d events".formatted(count)).atMost(TIMEOUT).until(() -> numbersWithoutRepeats().size() == count);
  }

  /// An event that was not accepted, or in flight when the server was killed, comes again at once.
  private List<Long> numbersWithoutRepeats() {
    List<Long> numbers = received.stream().map(each -> each.path("data").path("number").asLong()).toList();
    assertThat(numbers).isSorted();
    return numbers.stream().distinct().toList();
  }

  private static JsonNode shown(TestRestClient rest) {
    return rest.get("webhooks/chat").expectStatus(200).body();
  }

  private String url() {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook";
  }

  private HttpServer receiver() {
    try {
      HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      http.createContext("/", this::answer);
      http.start();
      return http;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    answering.lock();
    try (exchange) {
      received.add(JSON.readTree(new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
      exchange.sendResponseHeaders(status, -1);
    } finally {
      answering.unlock();
    }
  }
}
