package dev.uplift.api.tenants.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.SseClient;
import dev.uplift.api.testing.SseClient.SseEvent;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.Release;
import dev.uplift.store.event.TenantEventRepository;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Events of tenants over real connections.
@ExtendWith(SharedServerExtension.class)
final class TenantEventsTest {
  @Test
  void aListenerIsToldWhatHappensFromNowOn(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    publish(testTenant, "1.0");
    try (SseClient sseClient = listen(testTenant.viewer(), testTenant)) {
      assertThat(sseClient.status()).isEqualTo(200);
      assertThat(sseClient.header("Content-Type")).startsWith("text/event-stream");
      SseEvent position = sseClient.next();
      assertThat(position.name()).isEqualTo("position");
      assertThat(position.id()).isEqualTo("1");
      assertThat(position.data()).isEqualTo("{\"number\":1}");

      testTenant
          .operator()
          .send(
              "POST",
              testTenant.path("devices/gate/hold"),
              "{\"reason\":\"trade fair\",\"until\":\"2099-12-24T18:00:00Z\"}")
          .expectStatus(200);
      SseEvent held = sseClient.next();
      assertThat(held.name()).isEqualTo("device.held");
      assertThat(held.id()).isEqualTo("2");
      assertThat(held.json().path("kind").asString()).isEqualTo("device.held");
      assertThat(held.json().path("device").asString()).isEqualTo("gate");
      assertThat(held.json().path("message").asString()).isEqualTo("trade fair");
      assertThat(held.json().path("until").asString()).isEqualTo("2099-12-24T18:00:00Z");
      assertThat(held.json().path("occurred_at").asString()).isNotEmpty();
      assertThat(held.json().has("rollout")).isFalse();
    }
  }

  @Test
  void aListenerThatReturnsReceivesEachEventOnce(TestTenant testTenant) {
    // More than the server keeps in memory.
    for (int i = 1; i <= 1200; i++) {
      publish(testTenant, "1." + i);
    }
    try (SseClient sseClient = listen(testTenant.viewer().withHeader("Last-Event-ID", "0"), testTenant)) {
      assertThat(sseClient.next().id()).isEqualTo("0");
      assertThat(IntStream.rangeClosed(1, 100).mapToObj(_ -> sseClient.next().id()))
          .containsExactlyElementsOf(IntStream.rangeClosed(1, 100).mapToObj(Integer::toString).toList());
    }
    publish(testTenant, "last");
    try (SseClient sseClient = listen(testTenant.viewer().withHeader("Last-Event-ID", "100"), testTenant)) {
      assertThat(sseClient.next().name()).isEqualTo("position");
      List<SseEvent> rest = IntStream.rangeClosed(101, 1201).mapToObj(_ -> sseClient.next()).toList();
      assertThat(rest)
          .extracting(SseEvent::id)
          .containsExactlyElementsOf(IntStream.rangeClosed(101, 1201).mapToObj(Integer::toString).toList());
      assertThat(rest.getLast().json().path("version").asString()).isEqualTo("last");
    }
  }

  @Test
  void anIdAboveTheNewestIsThatOfTheNewest(TestTenant testTenant) {
    publish(testTenant, "1.0");
    try (SseClient sseClient = listen(testTenant.viewer().withHeader("Last-Event-ID", "77.ended"), testTenant)) {
      assertThat(sseClient.next().id()).isEqualTo("1");
      publish(testTenant, "1.1");
      assertThat(sseClient.next().id()).isEqualTo("2");
    }
  }

  @Test
  void eachTenantHasItsOwnEvents(TestTenant testTenant, TestServer server) {
    TestTenant other = server.newTenant();
    try (SseClient mine = listen(testTenant.viewer(), testTenant);
        SseClient theirs = listen(other.viewer(), other)) {
      assertThat(mine.next().name()).isEqualTo("position");
      assertThat(theirs.next().name()).isEqualTo("position");
      publish(other, "theirs");
      publish(testTenant, "mine");

      assertThat(mine.next().json().path("version").asString()).isEqualTo("mine");
      assertThat(theirs.next().json().path("version").asString()).isEqualTo("theirs");
    }
    other.viewer().get(testTenant.path("events")).expectStatus(404);
    server.anonymousClient().get(testTenant.path("events")).expectStatus(401);
    assertThat(
            testTenant
                .viewer()
                .withHeader("Last-Event-ID", "x")
                .get(testTenant.path("events"))
                .expectStatus(400)
                .errors())
        .containsExactly("Last-Event-ID: expected the id of an event, or 0 for all from the first on");
  }

  private static SseClient listen(TestClient testClient, TestTenant testTenant) {
    return new SseClient(testClient, testTenant.path("events"));
  }

  private static void publish(TestTenant testTenant, String version) {
    testTenant
        .server()
        .bean(TenantEventRepository.class)
        .appendPublished(testTenant.name(), new Release("shopd", version));
  }
}
