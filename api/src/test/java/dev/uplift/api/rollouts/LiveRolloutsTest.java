package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Heard;
import dev.uplift.api.server.LiveServer;
import dev.uplift.api.server.PlayedHost;
import dev.uplift.api.server.SharedServer;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.ErrorClass;
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

/// Rollouts on real Temporal and real NATS, from the request to the end. Each selects devices by a
/// label of its own.
@ExtendWith(SharedServer.class)
final class LiveRolloutsTest {
  private final LiveServer live;
  private final String id = "r" + UUID.randomUUID().toString().substring(0, 8);

  LiveRolloutsTest(LiveServer live) {
    this.live = live;
  }

  @Test
  void anApprovedRolloutBringsTheReleaseToAllOfItsDevices() {
    try (PlayedHost one = selected();
        PlayedHost two = selected();
        PlayedHost three = selected()) {
      Answer created = create("[{\"count\":1},{\"rest\":true,\"gate\":\"approval\"}]").is(201);
      assertThat(created.json().path("counts").path("devices").asInt()).isEqualTo(3);
      var temporal = new InTemporal(live);
      var heard = new Heard(live.tenant().viewer().with("Last-Event-ID", "0"), path("/events"));

      JsonNode waits = await(rollout -> state(rollout).equals("waiting-approval"));
      assertThat(waits.path("waiting_for").path("word").asString()).isEqualTo("approval");
      assertThat(waits.path("counts").path("succeeded").asInt()).isEqualTo(1);
      assertThat(temporal.details("rollout/acme/" + id))
          .startsWith("**waiting-approval**, wave 2 of 2: 2 to come, 0 in work, 1 done, 0 failed");
      assertThat(tell("approve", "{}").is(403).detail()).contains("another person");
      live.tenant().admin().send("POST", path("/approve"), "{\"reason\":\"looks well\"}").is(200);

      JsonNode ended = await(rollout -> state(rollout).equals("ended"));
      assertThat(ended.path("outcome").asString()).isEqualTo("upgraded");
      assertThat(ended.path("counts").path("by_outcome").path("upgraded").asInt()).isEqualTo(3);
      assertThat(ended.path("wave_list").get(1).path("approval").path("by").asString())
          .isEqualTo("admin");
      assertThat(get("/devices").texts("items", "device"))
          .containsExactlyInAnyOrder(one.name(), two.name(), three.name());
      assertThat(get("/decisions").texts("items", "decision")).contains("approve", "finish");
      assertThat(decisions(heard.rest()))
          .as("who listens hears what is in the log")
          .containsExactlyElementsOf(get("/decisions").texts("items", "sentence").reversed());
      heard.close();
      assertThat(temporal.of("Rollout = '%s' AND Tenant = 'acme'".formatted(id), 4))
          .as("what one finds in Temporal Web UI")
          .containsExactlyInAnyOrder(
              "rollout/acme/" + id,
              "upgrade/acme/" + one.name(),
              "upgrade/acme/" + two.name(),
              "upgrade/acme/" + three.name());
      temporal.close();
      assertThat(audit()).contains("rollout.create", "rollout.approve");
      assertThat(tell("pause", "{}").is(409).detail())
          .isEqualTo("the rollout has ended; start a new one");
    }
  }

  @Test
  void whatIsToldIsDoneAtOnce() {
    try (PlayedHost one = selected().ignores(Action.PREPARE)) {
      create("[{\"rest\":true}]").is(201);
      await(rollout -> rollout.path("counts").path("in_work").asInt() == 1);

      Answer said = tell("pause", "storm-1", "{\"reason\":\"storm\"}").is(200);
      JsonNode paused = await(rollout -> state(rollout).equals("paused"));
      assertThat(paused.path("paused_by").asString()).contains("operator", "storm");
      assertThat(tell("pause", "{}").is(409).detail()).startsWith("the rollout is paused");
      assertThat(tell("pause", "storm-1", "{\"reason\":\"storm\"}").is(200).text())
          .as("the same wish is answered the same")
          .isEqualTo(said.text());

      String tag = get("").header("ETag").orElseThrow();
      Answer changed = rules(tag).is(200);
      assertThat(changed.json().path("plan").path("thresholds").path("failures").asInt())
          .isEqualTo(7);
      rules(tag).is(412);

      tell("abort", "{\"hard\":true,\"reason\":\"wrong release\"}").is(200);
      one.behaves();
      JsonNode ended = await(rollout -> state(rollout).equals("ended"));
      assertThat(ended.path("outcome").asString()).isEqualTo("aborted");
      assertThat(ended.path("aborted_by").asString()).contains("operator", "wrong release");
      assertThat(audit()).contains("rollout.pause", "rollout.change-rules", "rollout.abort-hard");
    }
  }

  @Test
  void aWaveOfWhichTwoFailGoesBackAndTheRolloutIsPaused() {
    try (PlayedHost one = selected();
        PlayedHost two = selected();
        PlayedHost three = selected().fails(Action.UPGRADE, ErrorClass.FINAL, "bad-image");
        PlayedHost four = selected().fails(Action.UPGRADE, ErrorClass.FINAL, "bad-image")) {
      three.ignores(Action.UPGRADE);
      four.ignores(Action.UPGRADE);
      create("[{\"rest\":true}]", "{\"failures\":2,\"action\":\"roll-back-wave\"}").is(201);
      await(rollout -> rollout.path("counts").path("succeeded").asInt() == 2);
      three.heeds(Action.UPGRADE);
      four.heeds(Action.UPGRADE);

      JsonNode paused = await(rollout -> state(rollout).equals("paused"));

      assertThat(paused.path("counts").path("by_outcome").path("rolled-back").asInt()).isEqualTo(4);
      assertThat(paused.path("paused_by").asString()).contains("uplift", "2 devices failed");
      assertThat(get("/decisions").texts("items", "decision"))
          .contains("roll-back-wave", "rolled-back");
      assertThat(get("/devices?state=reverted").texts("items", "device"))
          .containsExactlyInAnyOrder(one.name(), two.name());
      String revert = id + "." + one.name() + ".r1";
      JsonNode back = live.tenant().viewer().get(live.path("upgrades/" + revert)).is(200).json();
      assertThat(back.path("outcome").asString()).isEqualTo("rolled-back");
      assertThat(back.path("revert_of").asString()).isEqualTo(id + "." + one.name() + ".1");
      assertThat(back.path("hosts").path(0).path("version").asString()).isEqualTo("1.0");
      assertThat(tell("roll-back", "{}").is(409).detail())
          .isEqualTo("no device of wave 1 runs the release");
      tell("abort", "{}").is(200);
      await(rollout -> state(rollout).equals("ended"));
    }
  }

  @Test
  void ofManyWhoChangeWhatTheyHaveReadOneSucceedsAndTheOthersAreTold() throws Exception {
    try (PlayedHost one = selected().ignores(Action.PREPARE)) {
      create("[{\"rest\":true}]").is(201);
      await(rollout -> rollout.path("counts").path("in_work").asInt() == 1);
      String tag = get("").header("ETag").orElseThrow();

      List<Integer> statuses = new ArrayList<>();
      try (ExecutorService people = Executors.newFixedThreadPool(6)) {
        List<Callable<Integer>> wishes = Collections.nCopies(6, () -> rules(tag).status());
        for (Future<Integer> answer : people.invokeAll(wishes)) {
          statuses.add(answer.get());
        }
      }

      assertThat(statuses).containsOnlyOnce(200);
      assertThat(statuses).containsOnly(200, 412);
      tell("abort", "{\"hard\":true}").is(200);
      one.behaves();
      await(rollout -> state(rollout).equals("ended"));
    }
  }

  @Test
  void itStopsByItselfSaysWhyInOneLineAndGoesOnAfterAFix() {
    try (PlayedHost one = selected().fails(Action.UPGRADE, ErrorClass.FINAL, "disk-full");
        PlayedHost two = selected().fails(Action.UPGRADE, ErrorClass.FINAL, "disk-full");
        PlayedHost three = selected()) {
      create("[{\"rest\":true}]").is(201);

      JsonNode paused = await(rollout -> state(rollout).equals("paused"));
      assertThat(paused.path("waiting_for").path("word").asString()).isEqualTo("paused");
      assertThat(paused.path("waiting_for").path("sentence").asString())
          .contains("uplift", "2")
          .doesNotContain("\n");
      JsonNode stopped = await(rollout -> rollout.path("counts").path("in_work").asInt() == 0);
      assertThat(stopped.path("counts").path("failed").asInt()).isEqualTo(2);
      JsonNode failure = get("/failures").json().path("items").get(0);
      assertThat(failure.path("code").asString()).isEqualTo("disk-full");
      assertThat(failure.path("devices").asInt()).isEqualTo(2);
      assertThat(failure.path("example").asString()).isEqualTo("disk-full on purpose");
      assertThat(failure.path("some").valueStream().map(JsonNode::asString))
          .containsExactlyInAnyOrder(one.name(), two.name());
      assertThat(get("/devices?outcome=rolled-back").texts("items", "device")).hasSize(2);
      assertThat(
              get("/devices?filter=" + "device%3D%3D'" + three.name() + "'")
                  .texts("items", "outcome"))
          .containsExactly("upgraded");
      String pause =
          get("/decisions")
              .json()
              .path("items")
              .valueStream()
              .filter(decision -> decision.path("decision").asString().equals("pause"))
              .map(decision -> decision.path("by").asString())
              .findFirst()
              .orElse("nobody");
      assertThat(pause).isEqualTo("uplift");

      one.behaves();
      two.behaves();
      tell("retry-failed", "{\"codes\":[\"disk-full\"],\"reason\":\"room was made\"}").is(200);
      tell("resume", "{}").is(200);

      JsonNode ended = await(rollout -> state(rollout).equals("ended"));
      assertThat(ended.path("outcome").asString()).isEqualTo("upgraded");
      assertThat(get("/failures").texts("items", "code")).isEmpty();
    }
  }

  private PlayedHost selected() {
    PlayedHost host = live.newHost();
    live.tenant()
        .admin()
        .send(
            "PATCH",
            live.path("devices/" + host.name()),
            "{\"labels\":{\"rollout\":\"%s\"}}".formatted(id))
        .is(200);
    return host;
  }

  private static List<String> decisions(List<Heard.Event> events) {
    assertThat(events.getLast().json().path("outcome").asString()).isEqualTo("upgraded");
    return events.stream()
        .filter(event -> event.name().equals("decision"))
        .map(event -> event.json().path("sentence").asString())
        .toList();
  }

  private Answer create(String waves) {
    return create(waves, "{}");
  }

  private Answer create(String waves, String thresholds) {
    String body =
        """
        {"package":"shopd","version":"2.0","selection":"labels.rollout == '%s'",
         "everything":true,"waves":%s,"thresholds":%s}\
        """
            .formatted(id, waves, thresholds);
    return live.tenant()
        .operator()
        .with("Idempotency-Key", id)
        .send("POST", live.path("rollouts"), body);
  }

  private Answer tell(String what, String body) {
    return live.tenant().operator().send("POST", path("/" + what), body);
  }

  private Answer tell(String what, String wish, String body) {
    return live.tenant()
        .operator()
        .with("Idempotency-Key", wish)
        .send("POST", path("/" + what), body);
  }

  private Answer rules(String tag) {
    return live.tenant()
        .operator()
        .with("If-Match", tag)
        .send("PUT", path("/rules"), "{\"thresholds\":{\"failures\":7}}");
  }

  private Answer get(String below) {
    return live.tenant().viewer().get(path(below)).is(200);
  }

  private List<String> audit() {
    return live.tenant()
        .viewer()
        .get(live.path("audit?target=rollout/" + id))
        .is(200)
        .texts("items", "action");
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
