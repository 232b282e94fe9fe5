package dev.uplift.api.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.UpgradeScenario;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.WireErrorClass;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class UpgradeActionControllerTest extends UpgradeScenario {
  UpgradeActionControllerTest(LiveServer live) {
    super(live);
  }

  @Test
  void anAbortIsAnsweredWithItsEffectAndTheEndHasTheReason() {
    try (StubHost host = live.newHost().ignore(CommandAction.PREPARE)) {
      String id = id();
      start(host, id, TO_2).expectStatus(201);
      await(id, upgrade -> waitsFor(upgrade, "prepare"));

      assertThat(sendAction(id, "abort?validate=true", "").expectStatus(200).json().path("message").asString())
          .isEqualTo("abort would be done");
      assertThat(
              sendAction(id, "abort", "{\"reason\":\"wrong site\"}")
                  .expectStatus(200)
                  .json()
                  .path("message")
                  .asString())
          .contains("prepare");

      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("aborted");
      assertThat(ended.path("reason").path("kind").asString()).isEqualTo("abort");
      assertThat(ended.path("reason").path("message").asString()).isEqualTo("operator: wrong site");
      for (String what : new String[] {"abort", "pause", "resume", "retry-step", "skip-host"}) {
        assertThat(sendAction(id, what, "{}").expectStatus(409).detail())
            .isEqualTo("the upgrade %s has ended: aborted (operator: wrong site)".formatted(id));
      }
      sendAction(id(), "abort", "{}").expectStatus(404);
    }
  }

  @Test
  void aPauseLastsUntilAResume() {
    try (StubHost host = live.newHost().ignore(CommandAction.PREPARE)) {
      String id = id();
      start(host, id, TO_2).expectStatus(201);
      await(id, upgrade -> waitsFor(upgrade, "prepare"));

      assertThat(sendAction(id, "resume?validate=true", "").expectStatus(409).detail())
          .isEqualTo(sendAction(id, "resume", "{}").expectStatus(409).detail())
          .contains(host.name() + " is not paused: prepare ");
      sendAction(id, "pause", "{\"reason\":\"lunch\"}").expectStatus(200);
      sendAction(id, "pause", "{}").expectStatus(409);
      assertThat(
              live.tenant()
                  .operator()
                  .withHeader("If-Match", "\"1\"")
                  .send("POST", live.path("upgrades/" + id + "/resume"), "{}")
                  .expectStatus(400)
                  .errors())
          .containsExactly("If-Match: an upgrade has no ETag; expected no condition");
      host.resetBehavior();
      JsonNode paused = await(id, upgrade -> hasWait(upgrade, "reason", "resume"));
      assertThat(paused.path("paused_by").asString()).startsWith("operator");
      sendAction(id, "resume", "{}").expectStatus(200);

      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
      assertThat(live.tenant().viewer().get(live.path("audit?target=upgrade/" + id)).texts("items", "action"))
          .containsExactly("upgrade.resume", "upgrade.pause", "upgrade.start");
    }
  }

  @Test
  void anOperatorRetriesAStep() {
    try (StubHost host = live.newHost().failOn(CommandAction.UPGRADE, WireErrorClass.NEEDS_PERSON, "door-open")) {
      String id = id();
      start(host, id, TO_2).expectStatus(201);
      JsonNode waiting = await(id, upgrade -> hasWait(upgrade, "reason", "person"));
      assertThat(waiting.path("waiting").path(0).path("message").asString()).contains("door-open");

      assertThat(sendAction(id, "retry-step?validate=true", "{\"host\":\"other\"}").expectStatus(409).detail())
          .contains(" does not wait for an operator's decision about other: upgrade ");
      host.resetBehavior();
      sendAction(id, "retry-step", "{}").expectStatus(200);

      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("upgraded");
      assertThat(steps(ended)).containsExactly("prepare", "upgrade", "upgrade");
      assertThat(ended.path("timeline").path(1).path("outcome").path("class").asString()).isEqualTo("needs-person");
    }
  }

  @Test
  void anOperatorSkipsAHost() {
    try (StubHost host = live.newHost().failOn(CommandAction.UPGRADE, WireErrorClass.NEEDS_PERSON, "door-open")) {
      String id = id();
      start(host, id, TO_2).expectStatus(201);
      await(id, upgrade -> hasWait(upgrade, "reason", "person"));

      sendAction(id, "skip-host", "{\"host\":\"%s\"}".formatted(host.name())).expectStatus(200);

      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("partial");
      assertThat(ended.path("hosts").path(0).path("skipped").asBoolean()).isTrue();
    }
  }
}
