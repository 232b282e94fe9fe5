package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ApiOperation;
import dev.uplift.api.testing.SampleRequests;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.RolloutId;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutPlanner;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A change with `If-Match` is rejected if another one came first, so no change is lost.
@ExtendWith(SharedServerExtension.class)
final class EtagTest {
  private static final String LABEL = "label-windows/ring/1";
  private static final String SUNDAYS =
      """
      {"windows":[{"days_of_week":["sun"],"start_time":"02:00","duration":"4h"}]}\
      """;

  @Test
  void aLateChangeIsRejected(TestTenant testTenant) {
    createResources(testTenant);
    List<Change> changes =
        List.of(
            new Change("devices/gate", "PATCH", "devices/gate", "{\"zone\":\"Asia/Tokyo\"}"),
            new Change("devices/gate", "PUT", "devices/gate", "{\"hosts\":[\"left\"]}"),
            new Change("devices/gate", "POST", "devices/gate/hold", "{\"reason\":\"fair\"}"),
            new Change("devices/gate", "DELETE", "devices/gate/hold", ""),
            new Change(LABEL, "PUT", LABEL, SUNDAYS.replace("sun", "mon")),
            new Change("rollouts/draft", "PATCH", "rollouts/draft", "{\"priority\":7}"));
    for (Change change : changes) {
      String seen = tag(testTenant, change.shown());
      TestClient first = testTenant.admin().withHeader("If-Match", seen);
      TestClient late = testTenant.admin().withHeader("If-Match", seen);

      first.send(change.method(), testTenant.path(change.path()), change.body()).expectStatus(200);

      TestResponse refused =
          late.send(change.method(), testTenant.path(change.path()), change.body()).expectStatus(412);
      assertThat(refused.errors().getFirst()).as(change.toString()).startsWith("If-Match: the ");
    }
    String old = "\"1\"";
    TestClient late = testTenant.admin().withHeader("If-Match", old);
    for (String path : List.of("devices/gate", LABEL, "rollouts/draft")) {
      late.delete(testTenant.path(path)).expectStatus(412);
    }
    late.send("POST", testTenant.path("rollouts/draft/start"), "{}").expectStatus(412);
    late.send("POST", testTenant.path("rollouts/draft/start?validate=true"), "{}").expectStatus(412);
    assertThat(testTenant.viewer().get(testTenant.path("rollouts/draft")).json().path("state").asString())
        .isEqualTo("draft");
  }

  @Test
  void onlyOneOfSeveralConcurrentChangesOfADraftSucceeds(TestTenant testTenant) {
    createResources(testTenant);
    TestClient seen = testTenant.admin().withHeader("If-Match", tag(testTenant, "rollouts/draft"));
    List<CompletableFuture<Integer>> changes =
        IntStream.range(0, 5)
            .mapToObj(i ->
                CompletableFuture.supplyAsync(
                    () ->
                        seen.send("PATCH", testTenant.path("rollouts/draft"), "{\"title\":\"the %dth\"}".formatted(i))
                            .status(),
                    command -> Thread.ofVirtual().start(command)))
            .toList();

    assertThat(changes.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(200, 412, 412, 412, 412);
  }

  @Test
  void everyActionOnARolloutSupportsIfMatch(TestTenant testTenant) {
    createResources(testTenant);
    assertThat(testTenant.server().bean(RolloutPlanner.class).launchDraft(new RolloutId(testTenant.name(), "draft")))
        .isInstanceOf(PlanningResult.Created.class);
    SampleRequests sampleRequests = SampleRequests.of(testTenant).with("rollout", "draft");
    String seen = tag(testTenant, "rollouts/draft");
    for (ApiOperation apiOperation : ApiOperation.all()) {
      if (apiOperation.path().contains("/rollouts/{rollout}/") && apiOperation.isWrite()) {
        TestResponse late =
            sampleRequests.send(apiOperation, testTenant.admin().withHeader("If-Match", "\"99\""), "?validate=true");
        assertThat(late.status()).as("%s: %s", apiOperation, late.text()).isEqualTo(412);
        TestResponse well =
            sampleRequests.send(apiOperation, testTenant.admin().withHeader("If-Match", seen), "?validate=true");
        assertThat(well.status()).as("%s: %s", apiOperation, well.text()).isNotEqualTo(412);
      }
    }
  }

  @Test
  void aTenantIsRenamedWithTheEtagOfItsTitle(TestTenant testTenant) {
    TestClient admin = testTenant.server().clientWithRole("admin", "*");
    String path = "/v1/tenants/" + testTenant.name();
    String seen = admin.get(path).expectStatus(200).header("ETag").orElseThrow();

    admin.withHeader("If-Match", seen).send("PUT", path, "{\"title\":\"Shops\"}").expectStatus(200);

    admin.withHeader("If-Match", seen).send("PUT", path, "{\"title\":\"Kiosks\"}").expectStatus(412);
    admin.withHeader("If-None-Match", "*").send("PUT", path, "{}").expectStatus(412);
    assertThat(admin.get(path).json().path("title").asString()).isEqualTo("Shops");
  }

  @Test
  void anUnchangedResourceAnswers304(TestTenant testTenant) {
    createResources(testTenant);
    for (String path : List.of("devices/gate", LABEL)) {
      String seen = tag(testTenant, path);
      TestClient knows = testTenant.viewer().withHeader("If-None-Match", "\"77\", " + seen);
      assertThat(knows.get(testTenant.path(path)).status()).isEqualTo(304);
    }
    String seen = tag(testTenant, "devices/gate");
    testTenant
        .operator()
        .send("POST", testTenant.path("devices/gate/hold"), "{\"reason\":\"fair\",\"until\":\"2100-01-01T00:00:00Z\"}")
        .expectStatus(200);
    testTenant.viewer().withHeader("If-None-Match", seen).get(testTenant.path("devices/gate")).expectStatus(200);
    String held = tag(testTenant, "devices/gate");
    testTenant.viewer().withHeader("If-None-Match", held).get(testTenant.path("devices/gate")).expectStatus(200);
  }

  private record Change(String shown, String method, String path, String body) {}

  private static String tag(TestTenant testTenant, String path) {
    return testTenant.viewer().get(testTenant.path(path)).expectStatus(200).header("ETag").orElseThrow();
  }

  private static void createResources(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    testTenant.admin().send("PUT", testTenant.path(LABEL), SUNDAYS).expectStatus(201);
    String release = testTenant.server().home().release("shopd", "2.0", 20);
    testTenant.admin().send("POST", testTenant.path("releases"), release).expectStatus(201);
    testTenant
        .operator()
        .withHeader("Idempotency-Key", "draft")
        .send(
            "POST",
            testTenant.path("rollouts"),
            "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
        .expectStatus(201);
  }
}
