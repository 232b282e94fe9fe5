package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// The answer to "why is this device not upgraded yet?" while an upgrade runs: what its workflow in Temporal waits for.
@Timeout(300)
final class RunningUpgradeWhyTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Stack stack = TestServers.stack().open();

  @AfterEach
  void endAll() {
    stack.close();
  }

  @Test
  void whatTheWorkflowWaitsForIsTheAnswer() {
    stack.start();
    var rest = new TestRestClient(stack, "acme");
    RebootUpgradeScenario works = RebootUpgradeScenario.in(stack, rest, "works");
    works.os().hold(ScriptedOs.HoldableVerb.upgrade);
    works.startUpgrade();
    RebootUpgradeScenario waits = RebootUpgradeScenario.in(stack, rest, "waits");
    rest.startUpgrade("waits", "waits", "os", "1.5.0", Map.of("require_approval", true)).expectStatus(201);
    works.awaitEffect("upgrade 1.5.0");
    waits.awaitEffect("prepare 1.5.0");

    JsonNode step = awaitAnswer(rest, "works", "step");
    assertThat(step.path("effect").asString()).isEqualTo("works");
    assertThat(step.path("message").asString()).startsWith("step upgrade on works: ");
    assertThat(step.path("since").asString()).isNotEmpty();
    JsonNode approval = awaitAnswer(rest, "waits", "approval");
    assertThat(approval.path("effect").asString()).isEqualTo("blocks");
    assertThat(approval.path("remedy").asString()).contains("uplift upgrade approve waits");

    rest.sendAction("works", "pause", Map.of()).expectStatus(200);
    assertThat(awaitAnswer(rest, "works", "paused").path("remedy").asString()).contains("uplift upgrade resume works");

    stack.temporal().kill();
    JsonNode unknown = awaitAnswer(rest, "waits", "unknown");
    assertThat(unknown.path("message").asString()).contains("its step in work is not known");
  }

  private static JsonNode awaitAnswer(TestRestClient rest, String device, String word) {
    return await(device + ": " + word)
        .atMost(TIMEOUT)
        .until(
            () -> rest.get("devices/" + device + "/why?package=os").expectStatus(200).body().at("/packages/0/answer"),
            answer -> answer.path("word").asString("").equals(word));
  }
}
