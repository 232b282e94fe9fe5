package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.SseClient;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.api.testing.TestTokens;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.Database;
import dev.uplift.store.rollout.DecisionRow;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutDecisionRepository;
import dev.uplift.store.rollout.RolloutRepository;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Events of rollouts over real connections. Without Temporal; events come from the tables, which the test writes.
@ExtendWith(SharedServerExtension.class)
final class RolloutEventsTest {
  @Test
  void sendsTheStateEachDecisionAndTheEnd(TestTenant testTenant) {
    RolloutId id = rollout(testTenant);
    try (SseClient sseClient = listen(testTenant.viewer(), id)) {
      assertThat(sseClient.status()).isEqualTo(200);
      assertThat(sseClient.header("Content-Type")).startsWith("text/event-stream");
      assertThat(sseClient.header("Cache-Control")).isEqualTo("no-store");
      SseClient.SseEvent first = sseClient.next();
      assertThat(first.name()).isEqualTo("progress");
      assertThat(first.json().path("state").asString()).isEqualTo("draft");
      assertThat(first.json().has("plan")).isFalse();

      decide(testTenant, id, "pause");
      SseClient.SseEvent decided = sseClient.next();
      assertThat(decided.name()).isEqualTo("decision");
      assertThat(decided.id()).isEqualTo("1");
      assertThat(decided.json().path("decision").asString()).isEqualTo("pause");
      assertThat(decided.json().path("message").asString()).isEqualTo("2 failures");
      assertThat(decided.json().path("actor").asString()).isEqualTo("uplift");

      stands(testTenant, id, RolloutState.PAUSED);
      SseClient.SseEvent paused = sseClient.next();
      assertThat(paused.name()).isEqualTo("progress");
      assertThat(paused.json().path("waiting_for").path("reason").asString()).isEqualTo("paused");

      testTenant.server().bean(RolloutRepository.class).end(id, RolloutOutcome.ABORTED);
      List<SseClient.SseEvent> rest = sseClient.remaining();
      assertThat(rest).extracting(SseClient.SseEvent::name).containsExactly("ended");
      assertThat(rest.getFirst().json().path("outcome").asString()).isEqualTo("aborted");
      testTenant.viewer().withHeader("Last-Event-ID", rest.getFirst().id()).get(path(testTenant, id)).expectStatus(204);
    }
  }

  @Test
  void aReconnectedSubscriberReceivesEachDecisionOnce(TestTenant testTenant) {
    RolloutId id = rollout(testTenant);
    // More than the server keeps in memory.
    for (int i = 0; i < 450; i++) {
      decide(testTenant, id, "wait");
    }
    try (SseClient sseClient = listen(testTenant.viewer().withHeader("Last-Event-ID", "0"), id)) {
      for (int i = 1; i <= 123; i++) {
        assertThat(sseClient.next().id()).isEqualTo(Integer.toString(i));
      }
    }
    decide(testTenant, id, "finish");
    testTenant.server().bean(RolloutRepository.class).end(id, RolloutOutcome.UPGRADED);

    try (SseClient sseClient = listen(testTenant.viewer().withHeader("Last-Event-ID", "123"), id)) {
      List<SseClient.SseEvent> rest = sseClient.remaining();
      // An earlier state may be sent in between.
      assertThat(rest)
          .filteredOn(sseEvent -> sseEvent.name().equals("decision"))
          .extracting(SseClient.SseEvent::id)
          .containsExactlyElementsOf(IntStream.rangeClosed(124, 451).mapToObj(Integer::toString).toList());
      assertThat(rest.getLast().name()).isEqualTo("ended");
    }
  }

  @Test
  void aKnownStateIsNotSentAgain(TestTenant testTenant) {
    RolloutId id = rollout(testTenant);
    String seen;
    try (SseClient sseClient = listen(testTenant.viewer(), id)) {
      seen = sseClient.next().id();
    }
    try (SseClient sseClient = listen(testTenant.viewer().withHeader("Last-Event-ID", seen), id)) {
      decide(testTenant, id, "pause");
      assertThat(sseClient.next().name()).isEqualTo("decision");
    }
  }

  @Test
  void allSubscribersReceiveTheSame(TestTenant testTenant) {
    RolloutId id = rollout(testTenant);
    List<SseClient> all = IntStream.range(0, 30).mapToObj(_ -> listen(testTenant.viewer(), id)).toList();
    all.forEach(sseClient -> assertThat(sseClient.next().name()).isEqualTo("progress"));

    decide(testTenant, id, "pause");

    all.forEach(sseClient -> assertThat(sseClient.next().id()).isEqualTo("1"));
    all.forEach(SseClient::close);
  }

  @Test
  void endsWithTheTokenAndRejectsOthers(TestTenant testTenant, TestServer server) {
    RolloutId id = rollout(testTenant);
    assertThat(eventsUntilTheTokenExpires(testTenant, id))
        .extracting(SseClient.SseEvent::name)
        .containsExactly("progress");
    server.newTenant().admin().get(path(testTenant, id)).expectStatus(404);
    server.anonymousClient().get(path(testTenant, id)).expectStatus(401);
    testTenant.viewer().sendRaw("HEAD", path(testTenant, id), "").expectStatus(200);
    assertThat(
            testTenant.viewer().withHeader("Last-Event-ID", "x").get(path(testTenant, id)).expectStatus(400).errors())
        .containsExactly("Last-Event-ID: expected the id of an event, or 0 for all from the first on");
  }

  /// A token is valid for half a minute longer than it says.
  private static List<SseClient.SseEvent> eventsUntilTheTokenExpires(TestTenant testTenant, RolloutId id) {
    // On a busy machine the token may expire before the first event: use a longer one.
    for (int left = 4; ; left *= 2) {
      Date end = Date.from(Instant.now().minusSeconds(30 - left));
      String token =
          TestTokens.signed(
              ServerHome.TOKEN_SECRET, TestTokens.claims(testTenant.name(), "viewer").expirationTime(end).build());
      TestClient testClient = new TestClient(testTenant.server(), Map.of("Authorization", "Bearer " + token));
      try (SseClient sseClient = listen(testClient, id)) {
        if (sseClient.status() == 200) {
          return sseClient.remaining();
        }
      }
    }
  }

  private static SseClient listen(TestClient testClient, RolloutId id) {
    return new SseClient(testClient, "/v1/tenants/%s/rollouts/%s/events".formatted(id.tenant(), id.name()));
  }

  private static String path(TestTenant testTenant, RolloutId id) {
    return testTenant.path("rollouts/" + id.name() + "/events");
  }

  private static RolloutId rollout(TestTenant testTenant) {
    testTenant
        .operator()
        .withHeader("Idempotency-Key", "north")
        .send(
            "POST",
            testTenant.path("rollouts"),
            "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
        .expectStatus(201);
    return new RolloutId(testTenant.name(), "north");
  }

  private static void decide(TestTenant testTenant, RolloutId id, String what) {
    var decision = new NewDecision(1, what, "failures", "2 failures", "3 of 5 done", "uplift", Optional.empty());
    DecisionRow _ =
        testTenant
            .server()
            .bean(Database.class)
            .inTransaction(() -> testTenant.server().bean(RolloutDecisionRepository.class).append(id, decision));
  }

  private static void stands(TestTenant testTenant, RolloutId id, RolloutState state) {
    testTenant
        .server()
        .bean(RolloutRepository.class)
        .setState(id, state, Optional.of(WaitReason.PAUSED), "paused by uplift", Optional.empty());
  }
}
