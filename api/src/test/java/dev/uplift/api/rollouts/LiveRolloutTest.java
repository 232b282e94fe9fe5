package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.SseClient;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.WireErrorClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// Rollouts on real Temporal and real NATS, from request to end. Each test selects devices by a label of its own.
@ExtendWith(SharedServerExtension.class)
final class LiveRolloutTest {
  private final LiveServer live;
  private final String id = "r" + UUID.randomUUID().toString().substring(0, 8);

  LiveRolloutTest(LiveServer live) {
    this.live = live;
  }

  @Test
  void anApprovedRolloutUpgradesAllOfItsDevices() {
    try (StubHost one = selected();
        StubHost two = selected();
        StubHost three = selected()) {
      TestResponse created = create("[{\"count\":1},{\"rest\":true,\"gate\":\"approval\"}]").expectStatus(201);
      assertThat(created.json().path("counts").path("devices").asInt()).isEqualTo(3);
      var temporal = new TemporalInspector(live);
      var sseClient = new SseClient(live.tenant().viewer().withHeader("Last-Event-ID", "0"), path("/events"));

      JsonNode waits = await(rollout -> state(rollout).equals("waiting-approval"));
      assertThat(waits.path("waiting_for").path("reason").asString()).isEqualTo("approval");
      assertThat(waits.path("counts").path("succeeded").asInt()).isEqualTo(1);
      assertThat(temporal.currentDetails("rollout/acme/" + id, "**waiting-approval**"))
          .startsWith("**waiting-approval**, wave 2 of 2: 2 pending, 0 in progress, 1 succeeded, 0 failed");
      String approval = "{\"reason\":\"looks well\",\"revision\":%d}".formatted(waits.path("revision").asLong());
      assertThat(sendAction("approve", approval).expectStatus(403).detail()).contains("another person");
      live.tenant().admin().send("POST", path("/approve"), approval).expectStatus(200);

      JsonNode ended = await(rollout -> state(rollout).equals("ended"));
      assertThat(ended.path("outcome").asString()).isEqualTo("upgraded");
      assertThat(ended.path("counts").path("by_outcome").path("upgraded").asInt()).isEqualTo(3);
      assertThat(ended.path("waves").get(1).path("approval").path("actor").asString()).isEqualTo("admin");
      assertThat(get("/devices").texts("items", "device"))
          .containsExactlyInAnyOrder(one.name(), two.name(), three.name());
      assertThat(get("/decisions").texts("items", "decision")).contains("approve", "finish");
      assertThat(decisions(sseClient.remaining()))
          .as("subscribers receive the entries of the log")
          .containsExactlyElementsOf(get("/decisions").texts("items", "message").reversed());
      sseClient.close();
      assertThat(temporal.findWorkflows("Rollout = '%s' AND Tenant = 'acme'".formatted(id), 4))
          .as("found in Temporal Web UI")
          .containsExactlyInAnyOrder(
              "rollout/acme/" + id,
              "upgrade/acme/" + one.name(),
              "upgrade/acme/" + two.name(),
              "upgrade/acme/" + three.name());
      temporal.close();
      assertThat(audit()).contains("rollout.create", "rollout.approve");
      assertThat(sendAction("pause", "{}").expectStatus(409).detail())
          .isEqualTo("the rollout has ended; start a new one");
    }
  }

  @Test
  void actionsTakeEffectAtOnce() {
    try (StubHost one = selected().ignore(CommandAction.PREPARE)) {
      create("[{\"rest\":true}]").expectStatus(201);
      await(rollout -> rollout.path("counts").path("in_work").asInt() == 1);

      TestResponse said = sendAction("pause", "storm-1", "{\"reason\":\"storm\"}").expectStatus(200);
      JsonNode paused = await(rollout -> state(rollout).equals("paused"));
      assertThat(paused.path("paused_by").asString()).contains("operator", "storm");
      assertThat(sendAction("pause", "{}").expectStatus(409).detail()).startsWith("the rollout is paused");
      assertThat(sendAction("pause", "storm-1", "{\"reason\":\"storm\"}").expectStatus(200).text())
          .as("a repeated action has the same answer")
          .isEqualTo(said.text());

      String tag = get("").header("ETag").orElseThrow();
      TestResponse changed = rules(tag).expectStatus(200);
      assertThat(changed.json().path("plan").path("thresholds").path("failures").asInt()).isEqualTo(7);
      rules(tag).expectStatus(412);

      sendAction("abort", "{\"abort_running\":true,\"reason\":\"wrong release\"}").expectStatus(200);
      one.resetBehavior();
      JsonNode ended = await(rollout -> state(rollout).equals("ended"));
      assertThat(ended.path("outcome").asString()).isEqualTo("aborted");
      assertThat(ended.path("aborted_by").asString()).contains("operator", "wrong release");
      assertThat(audit()).contains("rollout.pause", "rollout.change-rules", "rollout.abort-running");
    }
  }

  @Test
  void twoFailuresRollBackTheWaveAndPauseTheRollout() {
    try (StubHost one = selected();
        StubHost two = selected();
        StubHost three = selected().failOn(CommandAction.UPGRADE, WireErrorClass.FINAL, "bad-image");
        StubHost four = selected().failOn(CommandAction.UPGRADE, WireErrorClass.FINAL, "bad-image")) {
      three.ignore(CommandAction.UPGRADE);
      four.ignore(CommandAction.UPGRADE);
      create("[{\"rest\":true}]", "{\"failures\":2,\"action\":\"roll-back-wave\"}").expectStatus(201);
      await(rollout -> rollout.path("counts").path("succeeded").asInt() == 2);
      three.stopIgnoring(CommandAction.UPGRADE);
      four.stopIgnoring(CommandAction.UPGRADE);

      JsonNode paused = await(rollout -> state(rollout).equals("paused"));

      assertThat(paused.path("counts").path("by_outcome").path("rolled-back").asInt()).isEqualTo(4);
      assertThat(paused.path("paused_by").asString()).contains("uplift", "2 devices failed");
      assertThat(get("/decisions").texts("items", "decision")).contains("roll-back-wave", "rolled-back");
      assertThat(get("/devices?state=reverted").texts("items", "device"))
          .containsExactlyInAnyOrder(one.name(), two.name());
      String revert = id + "." + one.name() + ".r1";
      JsonNode back = live.tenant().viewer().get(live.path("upgrades/" + revert)).expectStatus(200).json();
      assertThat(back.path("outcome").asString()).isEqualTo("rolled-back");
      assertThat(back.path("revert_of").asString()).isEqualTo(id + "." + one.name() + ".1");
      assertThat(back.path("hosts").path(0).path("version").asString()).isEqualTo("1.0");
      assertThat(sendAction("roll-back-wave", "{}").expectStatus(409).detail())
          .isEqualTo("no device of wave 1 runs the release");
      sendAction("abort", "{}").expectStatus(200);
      await(rollout -> state(rollout).equals("ended"));
    }
  }

  @Test
  void onlyOneOfManyConcurrentChangesSucceeds() throws Exception {
    try (StubHost one = selected().ignore(CommandAction.PREPARE)) {
      create("[{\"rest\":true}]").expectStatus(201);
      await(rollout -> rollout.path("counts").path("in_work").asInt() == 1);
      String tag = get("").header("ETag").orElseThrow();

      List<Integer> statuses = new ArrayList<>();
      try (ExecutorService people = Executors.newFixedThreadPool(6)) {
        List<Callable<Integer>> requests = Collections.nCopies(6, () -> rules(tag).status());
        for (Future<Integer> answer : people.invokeAll(requests)) {
          statuses.add(answer.get());
        }
      }

      assertThat(statuses).containsOnlyOnce(200);
      assertThat(statuses).containsOnly(200, 412);
      sendAction("abort", "{\"abort_running\":true}").expectStatus(200);
      one.resetBehavior();
      await(rollout -> state(rollout).equals("ended"));
    }
  }

  @Test
  void itStopsByItselfWithAReasonAndContinuesAfterAFix() {
    try (StubHost one = selected().failOn(CommandAction.UPGRADE, WireErrorClass.FINAL, "disk-full");
        StubHost two = selected().failOn(CommandAction.UPGRADE, WireErrorClass.FINAL, "disk-full");
        StubHost three = selected()) {
      create("[{\"rest\":true}]").expectStatus(201);

      JsonNode paused = await(rollout -> state(rollout).equals("paused"));
      assertThat(paused.path("waiting_for").path("reason").asString()).isEqualTo("paused");
      assertThat(paused.path("waiting_for").path("message").asString()).contains("uplift", "2").doesNotContain("\n");
      JsonNode stopped = await(rollout -> rollout.path("counts").path("in_work").asInt() == 0);
      assertThat(stopped.path("counts").path("failed").asInt()).isEqualTo(2);
      JsonNode failure = get("/failures").json().path("items").get(0);
      assertThat(failure.path("code").asString()).isEqualTo("disk-full");
      assertThat(failure.path("devices").asInt()).isEqualTo(2);
      assertThat(failure.path("example_message").asString()).isEqualTo("disk-full on purpose");
      assertThat(failure.path("example_devices").valueStream().map(JsonNode::asString))
          .containsExactlyInAnyOrder(one.name(), two.name());
      assertThat(get("/devices?outcome=rolled-back").texts("items", "device")).hasSize(2);
      assertThat(get("/devices?filter=" + "device%3D%3D'" + three.name() + "'").texts("items", "outcome"))
          .containsExactly("upgraded");
      String pause =
          get("/decisions")
              .json()
              .path("items")
              .valueStream()
              .filter(decision -> decision.path("decision").asString().equals("pause"))
              .map(decision -> decision.path("actor").asString())
              .findFirst()
              .orElse("unknown");
      assertThat(pause).isEqualTo("uplift");

      one.resetBehavior();
      two.resetBehavior();
      sendAction("retry-failed", "{\"error_codes\":[\"disk-full\"],\"reason\":\"disk cleaned\"}").expectStatus(200);
      sendAction("resume", "{}").expectStatus(200);

      JsonNode ended = await(rollout -> state(rollout).equals("ended"));
      assertThat(ended.path("outcome").asString()).isEqualTo("upgraded");
      assertThat(get("/failures").texts("items", "code")).isEmpty();
    }
  }

  private StubHost selected() {
    StubHost host = live.newHost();
    live.tenant()
        .admin()
        .send("PATCH", live.path("devices/" + host.name()), "{\"labels\":{\"rollout\":\"%s\"}}".formatted(id))
        .expectStatus(200);
    return host;
  }

  private static List<String> decisions(List<SseClient.SseEvent> events) {
    assertThat(events.getLast().json().path("outcome").asString()).isEqualTo("upgraded");
    return events.stream()
        .filter(sseEvent -> sseEvent.name().equals("decision"))
        .map(sseEvent -> sseEvent.json().path("message").asString())
        .toList();
  }

  private TestResponse create(String waves) {
    return create(waves, "{}");
  }

  private TestResponse create(String waves, String thresholds) {
    String body =
        """
        {"package":"shopd","version":"2.0","selection":"labels.rollout == '%s'",
         "everything":true,"waves":%s,"thresholds":%s}\
        """
            .formatted(id, waves, thresholds);
    return live.tenant().operator().withHeader("Idempotency-Key", id).send("POST", live.path("rollouts"), body);
  }

  private TestResponse sendAction(String what, String body) {
    return live.tenant().operator().send("POST", path("/" + what), body);
  }

  private TestResponse sendAction(String what, String key, String body) {
    return live.tenant().operator().withHeader("Idempotency-Key", key).send("POST", path("/" + what), body);
  }

  private TestResponse rules(String tag) {
    return live.tenant()
        .operator()
        .withHeader("If-Match", tag)
        .send("PUT", path("/rules"), "{\"thresholds\":{\"failures\":7}}");
  }

  private TestResponse get(String below) {
    return live.tenant().viewer().get(path(below)).expectStatus(200);
  }

  private List<String> audit() {
    TestResponse audit = live.tenant().viewer().get(live.path("audit?target=rollout/" + id)).expectStatus(200);
    assertThat(audit.texts("items", "origin")).containsOnly("127.0.0.1");
    return audit.texts("items", "action");
  }

  private JsonNode await(Predicate<JsonNode> condition) {
    return Awaitility.await("rollout " + id)
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> get("").json(), condition);
  }

  private String path(String below) {
    return live.path("rollouts/" + id + below);
  }

  private static String state(JsonNode rollout) {
    return rollout.path("state").asString();
  }
}
