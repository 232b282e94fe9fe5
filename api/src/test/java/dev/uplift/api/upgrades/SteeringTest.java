package dev.uplift.api.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.LiveServer;
import dev.uplift.api.server.PlayedHost;
import dev.uplift.api.server.UpgradeScenario;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.ErrorClass;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class SteeringTest extends UpgradeScenario {
  SteeringTest(LiveServer live) {
    super(live);
  }

  @Test
  void anAbortSaysWhatItInterruptsAndTheEndHasTheReason() {
    try (PlayedHost host = live.newHost().ignores(Action.PREPARE)) {
      String id = id();
      start(host, id, TO_2).is(201);
      await(id, upgrade -> waitsFor(upgrade, "prepare"));

      assertThat(steer(id, "abort?validate=true", "").is(200).json().path("said").asString())
          .isEqualTo("abort would be done");
      assertThat(
              steer(id, "abort", "{\"reason\":\"wrong site\"}")
                  .is(200)
                  .json()
                  .path("said")
                  .asString())
          .contains("prepare");

      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("aborted");
      assertThat(ended.path("reason").path("kind").asString()).isEqualTo("abort");
      assertThat(ended.path("reason").path("text").asString()).isEqualTo("operator: wrong site");
      for (String what : new String[] {"abort", "pause", "resume", "retry-step", "skip-host"}) {
        assertThat(steer(id, what, "{}").is(409).detail())
            .isEqualTo("the upgrade %s has ended: aborted (operator: wrong site)".formatted(id));
      }
      steer(id(), "abort", "{}").is(404);
    }
  }

  @Test
  void aPauseHoldsUntilSomebodyResumes() {
    try (PlayedHost host = live.newHost().ignores(Action.PREPARE)) {
      String id = id();
      start(host, id, TO_2).is(201);
      await(id, upgrade -> waitsFor(upgrade, "prepare"));

      assertThat(steer(id, "resume?validate=true", "").is(409).detail()).contains("not paused");
      steer(id, "resume", "{}").is(409);
      steer(id, "pause", "{\"reason\":\"lunch\"}").is(200);
      steer(id, "pause", "{}").is(409);
      host.behaves();
      JsonNode paused = await(id, upgrade -> waiting(upgrade, "what", "resume"));
      assertThat(paused.path("paused_by").asString()).isEqualTo("operator");
      steer(id, "resume", "{}").is(200);

      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
      assertThat(
              live.tenant()
                  .viewer()
                  .get(live.path("audit?target=upgrade/" + id))
                  .texts("items", "action"))
          .containsExactly("upgrade.resume", "upgrade.pause", "upgrade.start");
    }
  }

  @Test
  void aPersonHasAStepDoneAgain() {
    try (PlayedHost host =
        live.newHost().fails(Action.UPGRADE, ErrorClass.NEEDS_PERSON, "door-open")) {
      String id = id();
      start(host, id, TO_2).is(201);
      JsonNode waiting = await(id, upgrade -> waiting(upgrade, "what", "person"));
      assertThat(waiting.path("waiting").path(0).path("sentence").asString()).contains("door-open");

      assertThat(steer(id, "retry-step?validate=true", "{\"host\":\"other\"}").is(409).detail())
          .isEqualTo("other does not wait for a person");
      host.behaves();
      steer(id, "retry-step", "{}").is(200);

      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("upgraded");
      assertThat(steps(ended)).containsExactly("prepare", "upgrade", "upgrade");
      assertThat(ended.path("timeline").path(1).path("outcome").path("class").asString())
          .isEqualTo("needs-person");
    }
  }

  @Test
  void aPersonHasAHostLeftAsItIs() {
    try (PlayedHost host =
        live.newHost().fails(Action.UPGRADE, ErrorClass.NEEDS_PERSON, "door-open")) {
      String id = id();
      start(host, id, TO_2).is(201);
      await(id, upgrade -> waiting(upgrade, "what", "person"));

      steer(id, "skip-host", "{\"host\":\"%s\"}".formatted(host.name())).is(200);

      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("partial");
      assertThat(ended.path("hosts").path(0).path("skipped").asBoolean()).isTrue();
    }
  }
}
