package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.rollout.Planned;
import dev.uplift.activities.rollout.RolloutPlanner;
import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Client;
import dev.uplift.api.server.Operation;
import dev.uplift.api.server.Samples;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.fleet.RolloutId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What two people can change, neither changes unseen: whoever says what they saw is refused when
/// it is that no longer.
@ExtendWith(SharedServer.class)
final class EtagTest {
  private static final String LABEL = "label-windows/ring/1";
  private static final String SUNDAYS =
      """
      {"windows":[{"days_of_week":["sun"],"start_time":"02:00","duration":"4h"}]}\
      """;

  @Test
  void whoeverIsLateIsRefused(Tenant tenant) {
    things(tenant);
    List<Change> changes =
        List.of(
            new Change("devices/gate", "PATCH", "devices/gate", "{\"zone\":\"Asia/Tokyo\"}"),
            new Change("devices/gate", "PUT", "devices/gate", "{\"hosts\":[\"left\"]}"),
            new Change("devices/gate", "POST", "devices/gate/hold", "{\"reason\":\"fair\"}"),
            new Change("devices/gate", "DELETE", "devices/gate/hold", ""),
            new Change(LABEL, "PUT", LABEL, SUNDAYS.replace("sun", "mon")),
            new Change("rollouts/draft", "PATCH", "rollouts/draft", "{\"priority\":7}"));
    for (Change change : changes) {
      String seen = tag(tenant, change.shown());
      Client first = tenant.admin().with("If-Match", seen);
      Client late = tenant.admin().with("If-Match", seen);

      first.send(change.method(), tenant.path(change.path()), change.body()).is(200);

      Answer refused =
          late.send(change.method(), tenant.path(change.path()), change.body()).is(412);
      assertThat(refused.faults().getFirst()).as(change.toString()).startsWith("If-Match: the ");
    }
    String old = "\"1\"";
    Client late = tenant.admin().with("If-Match", old);
    for (String path : List.of("devices/gate", LABEL, "rollouts/draft")) {
      late.delete(tenant.path(path)).is(412);
    }
    late.send("POST", tenant.path("rollouts/draft/start"), "{}").is(412);
    late.send("POST", tenant.path("rollouts/draft/start?validate=true"), "{}").is(412);
    assertThat(tenant.viewer().get(tenant.path("rollouts/draft")).json().path("state").asString())
        .isEqualTo("draft");
  }

  @Test
  void ofThoseWhoChangeADraftAtOnceOneIsHeard(Tenant tenant) {
    things(tenant);
    Client seen = tenant.admin().with("If-Match", tag(tenant, "rollouts/draft"));
    List<CompletableFuture<Integer>> changes =
        IntStream.range(0, 5)
            .mapToObj(i ->
                CompletableFuture.supplyAsync(
                    () ->
                        seen.send(
                                "PATCH",
                                tenant.path("rollouts/draft"),
                                "{\"title\":\"the %dth\"}".formatted(i))
                            .status(),
                    command -> Thread.ofVirtual().start(command)))
            .toList();

    assertThat(changes.stream().map(CompletableFuture::join))
        .containsExactlyInAnyOrder(200, 412, 412, 412, 412);
  }

  @Test
  void everySteeringOfARolloutCanRelyOnWhatWasSeen(Tenant tenant) {
    things(tenant);
    assertThat(
            tenant
                .server()
                .bean(RolloutPlanner.class)
                .launch(new RolloutId(tenant.name(), "draft")))
        .isInstanceOf(Planned.Created.class);
    Samples samples = Samples.of(tenant).with("rollout", "draft");
    String seen = tag(tenant, "rollouts/draft");
    for (Operation operation : Operation.all()) {
      if (operation.path().contains("/rollouts/{rollout}/") && operation.changes()) {
        Answer late =
            samples.send(operation, tenant.admin().with("If-Match", "\"99\""), "?validate=true");
        assertThat(late.status()).as("%s: %s", operation, late.text()).isEqualTo(412);
        Answer well =
            samples.send(operation, tenant.admin().with("If-Match", seen), "?validate=true");
        assertThat(well.status()).as("%s: %s", operation, well.text()).isNotEqualTo(412);
      }
    }
  }

  @Test
  void aTenantIsRenamedByWhoKnowsItsName(Tenant tenant) {
    Client admin = tenant.server().anyone("admin", "*");
    String path = "/v1/tenants/" + tenant.name();
    String seen = admin.get(path).is(200).header("ETag").orElseThrow();

    admin.with("If-Match", seen).send("PUT", path, "{\"title\":\"Shops\"}").is(200);

    admin.with("If-Match", seen).send("PUT", path, "{\"title\":\"Kiosks\"}").is(412);
    admin.with("If-None-Match", "*").send("PUT", path, "{}").is(412);
    assertThat(admin.get(path).json().path("title").asString()).isEqualTo("Shops");
  }

  @Test
  void whoKnowsItAlreadyIsNotToldAgain(Tenant tenant) {
    things(tenant);
    for (String path : List.of("devices/gate", LABEL)) {
      String seen = tag(tenant, path);
      Client knows = tenant.viewer().with("If-None-Match", "\"77\", " + seen);
      assertThat(knows.get(tenant.path(path)).status()).isEqualTo(304);
    }
    String seen = tag(tenant, "devices/gate");
    tenant
        .operator()
        .send(
            "POST",
            tenant.path("devices/gate/hold"),
            "{\"reason\":\"fair\",\"until\":\"2100-01-01T00:00:00Z\"}")
        .is(200);
    tenant.viewer().with("If-None-Match", seen).get(tenant.path("devices/gate")).is(200);
    String held = tag(tenant, "devices/gate");
    tenant.viewer().with("If-None-Match", held).get(tenant.path("devices/gate")).is(200);
  }

  private record Change(String shown, String method, String path, String body) {}

  private static String tag(Tenant tenant, String path) {
    return tenant.viewer().get(tenant.path(path)).is(200).header("ETag").orElseThrow();
  }

  private static void things(Tenant tenant) {
    tenant.device("gate", "left");
    tenant.admin().send("PUT", tenant.path(LABEL), SUNDAYS).is(201);
    String release = tenant.server().home().release("shopd", "2.0", 20);
    tenant.admin().send("POST", tenant.path("releases"), release).is(201);
    tenant
        .operator()
        .with("Idempotency-Key", "draft")
        .send(
            "POST",
            tenant.path("rollouts"),
            "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
        .is(201);
  }
}
