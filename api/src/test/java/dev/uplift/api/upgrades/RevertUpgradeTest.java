package dev.uplift.api.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.UpgradeScenario;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.WireErrorClass;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Reverts of finished upgrades over REST.
final class RevertUpgradeTest extends UpgradeScenario {
  RevertUpgradeTest(LiveServer live) {
    super(live);
  }

  @Test
  void aFinishedUpgradeIsRevertedOnce() {
    try (StubHost host = live.newHost()) {
      String done = done(host);
      String id = id();

      TestResponse started = revert(done, id, "{\"reason\":\"no price list\"}").expectStatus(201);

      assertThat(started.header("Location")).contains(live.path("upgrades/" + id));
      assertThat(started.json().path("revert_of").asString()).isEqualTo(done);
      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("rolled-back");
      assertThat(ended.has("reason")).isFalse();
      assertThat(ended.path("version").asString()).isEqualTo("2.0");
      assertThat(steps(ended)).containsExactly("inspect", "rollback");
      JsonNode state = ended.path("hosts").path(0);
      assertThat(state.path("progress").asString()).isEqualTo("rolled-back");
      assertThat(state.path("version").asString()).isEqualTo("1.0");
      assertThat(revert(done, id, "{\"reason\":\"no price list\"}").expectStatus(200).json().path("outcome").asString())
          .isEqualTo("rolled-back");
      assertThat(revert(done, id, "{}").expectStatus(409).detail()).contains("with other options");
      assertThat(audit(id)).containsExactly("upgrade.revert");
      assertThat(start(host, id, TO_2).expectStatus(409).detail())
          .isEqualTo(
              "the Idempotency-Key %s is that of the revert of upgrade %s; another upgrade".formatted(id, done)
                  + " needs another");

      String again = id();
      revert(done, again, "{}").expectStatus(201);
      assertThat(awaitEnd(again).path("outcome").asString()).isEqualTo("no-action");
      assertThat(revert(id, id(), "{}").expectStatus(409).detail())
          .startsWith(id + " reverts " + done + " on acme/" + host.name())
          .endsWith("start an upgrade to shopd 2.0");
    }
  }

  @Test
  void anUpgradeThatCannotBeRevertedIsRejectedWithAReason() {
    try (StubHost host = live.newHost().ignore(CommandAction.PREPARE)) {
      String running = id();
      start(host, running, TO_2).expectStatus(201);
      assertThat(revert(running, id(), "{}").expectStatus(409).detail())
          .isEqualTo("the upgrade %s runs; abort it, which rolls it back".formatted(running));
      sendAction(running, "abort", "{}").expectStatus(200);
      host.resetBehavior();
      awaitEnd(running);
      assertThat(revert(running, id(), "{}").expectStatus(409).detail())
          .isEqualTo(
              "the upgrade %s ended as aborted and left no host of %s on shopd 2.0".formatted(running, host.name()));

      String done = done(host);
      String hold = live.path("devices/" + host.name() + "/hold");
      live.tenant().operator().send("POST", hold, "{\"reason\":\"trade fair\"}").expectStatus(200);
      assertThat(revert(done, id(), "{}").expectStatus(409).detail()).isEqualTo("held: held by operator: trade fair");
      live.tenant().operator().delete(hold).expectStatus(200);
    }
  }

  @Test
  void aHostThatCannotRollBackDeclinesAndIsUnchanged() {
    try (StubHost host = live.newHost()) {
      String done = done(host);
      host.failOn(CommandAction.ROLLBACK, WireErrorClass.DECLINED, "version-not-found");
      String id = id();
      revert(done, id, "{}").expectStatus(201);

      JsonNode ended = awaitEnd(id);

      assertThat(ended.path("outcome").asString()).isEqualTo("declined");
      assertThat(ended.path("reason").path("code").asString()).isEqualTo("version-not-found");
      assertThat(ended.path("hosts").path(0).path("progress").asString()).isEqualTo("unchanged");
      assertThat(ended.path("hosts").path(0).path("version").asString()).isEqualTo("2.0");
    }
  }

  @Test
  void aValidatedRevertStartsNothingAndFaultsAreReported() {
    try (StubHost host = live.newHost()) {
      String done = done(host);
      String id = id();

      assertThat(revert(done + "/revert?validate=true", id).expectStatus(201).json().path("id").asString())
          .isEqualTo(id);

      live.tenant().viewer().get(live.path("upgrades/" + id)).expectStatus(404);
      revert("none/revert", id()).expectStatus(404);
      live.tenant().viewer().send("POST", live.path("upgrades/" + done + "/revert"), "{}").expectStatus(403);
      assertThat(revert(done, id(), "{\"not_after\":\"2020-01-01T00:00:00Z\"}").expectStatus(400).errors())
          .containsExactly("/not_after: expected a time in the future, at most 14 days from now");
    }
  }

  private String done(StubHost host) {
    String id = id();
    start(host, id, TO_2).expectStatus(201);
    assertThat(awaitEnd(id).path("hosts").path(0).path("version_before").asString()).isEqualTo("1.0");
    return id;
  }

  private TestResponse revert(String done, String id, String body) {
    return live.tenant()
        .operator()
        .withHeader("Idempotency-Key", id)
        .send("POST", live.path("upgrades/" + done + "/revert"), body);
  }

  private TestResponse revert(String path, String id) {
    return live.tenant().operator().withHeader("Idempotency-Key", id).send("POST", live.path("upgrades/" + path), "{}");
  }

  private List<String> audit(String id) {
    return live.tenant().viewer().get(live.path("audit?target=upgrade/" + id)).texts("items", "action");
  }
}
