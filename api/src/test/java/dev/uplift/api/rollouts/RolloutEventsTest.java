package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Client;
import dev.uplift.api.server.Heard;
import dev.uplift.api.server.Home;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.api.server.TestServer;
import dev.uplift.api.server.Token;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.Database;
import dev.uplift.store.DecisionRow;
import dev.uplift.store.NewDecision;
import dev.uplift.store.RolloutDecisions;
import dev.uplift.store.Rollouts;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Rollouts as those who listen hear of them, over real connections. Temporal is away; what happens
/// is written into the tables, where it comes from in any case.
@ExtendWith(SharedServer.class)
final class RolloutEventsTest {
  @Test
  void tellTheStateEachDecisionAndTheEndAndThenNothingMore(Tenant tenant) {
    RolloutId id = rollout(tenant);
    try (Heard heard = listen(tenant.viewer(), id)) {
      assertThat(heard.status()).isEqualTo(200);
      assertThat(heard.header("Content-Type")).startsWith("text/event-stream");
      assertThat(heard.header("Cache-Control")).isEqualTo("no-store");
      Heard.Event first = heard.next();
      assertThat(first.name()).isEqualTo("progress");
      assertThat(first.json().path("state").asString()).isEqualTo("draft");
      assertThat(first.json().has("plan")).isFalse();

      decide(tenant, id, "pause");
      Heard.Event decided = heard.next();
      assertThat(decided.name()).isEqualTo("decision");
      assertThat(decided.id()).isEqualTo("1");
      assertThat(decided.json().path("decision").asString()).isEqualTo("pause");
      assertThat(decided.json().path("sentence").asString()).isEqualTo("2 failures");
      assertThat(decided.json().path("by").asString()).isEqualTo("uplift");

      stands(tenant, id, RolloutState.PAUSED);
      Heard.Event paused = heard.next();
      assertThat(paused.name()).isEqualTo("progress");
      assertThat(paused.json().path("waiting_for").path("word").asString()).isEqualTo("paused");

      tenant.server().bean(Rollouts.class).end(id, RolloutOutcome.ABORTED);
      List<Heard.Event> rest = heard.rest();
      assertThat(rest).extracting(Heard.Event::name).containsExactly("ended");
      assertThat(rest.getFirst().json().path("outcome").asString()).isEqualTo("aborted");
      tenant.viewer().with("Last-Event-ID", rest.getFirst().id()).get(path(tenant, id)).is(204);
    }
  }

  @Test
  void whoComesBackHearsEveryDecisionOnce(Tenant tenant) {
    RolloutId id = rollout(tenant);
    // More than the server keeps for all who listen.
    for (int i = 0; i < 450; i++) {
      decide(tenant, id, "wait");
    }
    try (Heard heard = listen(tenant.viewer().with("Last-Event-ID", "0"), id)) {
      for (int i = 1; i <= 123; i++) {
        assertThat(heard.next().id()).isEqualTo(Integer.toString(i));
      }
    }
    decide(tenant, id, "finish");
    tenant.server().bean(Rollouts.class).end(id, RolloutOutcome.UPGRADED);

    try (Heard heard = listen(tenant.viewer().with("Last-Event-ID", "123"), id)) {
      List<Heard.Event> rest = heard.rest();
      // A state that was seen a moment ago may be told in between.
      assertThat(rest)
          .filteredOn(event -> event.name().equals("decision"))
          .extracting(Heard.Event::id)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(124, 451).mapToObj(Integer::toString).toList());
      assertThat(rest.getLast().name()).isEqualTo("ended");
    }
  }

  @Test
  void whoHasSeenTheStateIsNotToldItAgain(Tenant tenant) {
    RolloutId id = rollout(tenant);
    String seen;
    try (Heard heard = listen(tenant.viewer(), id)) {
      seen = heard.next().id();
    }
    try (Heard heard = listen(tenant.viewer().with("Last-Event-ID", seen), id)) {
      decide(tenant, id, "pause");
      assertThat(heard.next().name()).isEqualTo("decision");
    }
  }

  @Test
  void manyHearTheSame(Tenant tenant) {
    RolloutId id = rollout(tenant);
    List<Heard> all = IntStream.range(0, 30).mapToObj(_ -> listen(tenant.viewer(), id)).toList();
    all.forEach(heard -> assertThat(heard.next().name()).isEqualTo("progress"));

    decide(tenant, id, "pause");

    all.forEach(heard -> assertThat(heard.next().id()).isEqualTo("1"));
    all.forEach(Heard::close);
  }

  @Test
  void endWithTheTokenAndSayNothingToOthers(Tenant tenant, TestServer server) {
    RolloutId id = rollout(tenant);
    assertThat(heardUntilTheTokenEnds(tenant, id))
        .extracting(Heard.Event::name)
        .containsExactly("progress");
    server.newTenant().admin().get(path(tenant, id)).is(404);
    server.nobody().get(path(tenant, id)).is(401);
    tenant.viewer().sendAsIs("HEAD", path(tenant, id), "").is(200);
    assertThat(tenant.viewer().with("Last-Event-ID", "x").get(path(tenant, id)).is(400).faults())
        .containsExactly(
            "Last-Event-ID: expected the id of an event, or 0 for all from the first on");
  }

  /// A token is good for half a minute longer than it says.
  private static List<Heard.Event> heardUntilTheTokenEnds(Tenant tenant, RolloutId id) {
    // On a machine that is very busy it may have ended before somebody looks at it: a longer one.
    for (int left = 4; ; left *= 2) {
      Date end = Date.from(Instant.now().minusSeconds(30 - left));
      String token =
          Token.signed(
              Home.TOKEN_SECRET, Token.claims(tenant.name(), "viewer").expirationTime(end).build());
      Client client = new Client(tenant.server(), Map.of("Authorization", "Bearer " + token));
      try (Heard heard = listen(client, id)) {
        if (heard.status() == 200) {
          return heard.rest();
        }
      }
    }
  }

  private static Heard listen(Client client, RolloutId id) {
    return new Heard(client, "/v1/tenants/%s/rollouts/%s/events".formatted(id.tenant(), id.name()));
  }

  private static String path(Tenant tenant, RolloutId id) {
    return tenant.path("rollouts/" + id.name() + "/events");
  }

  private static RolloutId rollout(Tenant tenant) {
    tenant
        .operator()
        .with("Idempotency-Key", "north")
        .send(
            "POST",
            tenant.path("rollouts"),
            "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
        .is(201);
    return new RolloutId(tenant.name(), "north");
  }

  private static void decide(Tenant tenant, RolloutId id, String what) {
    var decision =
        new NewDecision(
            1, what, "failures", "2 failures", "3 of 5 done", "uplift", Optional.empty());
    DecisionRow _ =
        tenant
            .server()
            .bean(Database.class)
            .together(() -> tenant.server().bean(RolloutDecisions.class).append(id, decision));
  }

  private static void stands(Tenant tenant, RolloutId id, RolloutState state) {
    tenant
        .server()
        .bean(Rollouts.class)
        .stand(id, state, Optional.of(Waiting.PAUSED), "paused by uplift", Optional.empty());
  }
}
