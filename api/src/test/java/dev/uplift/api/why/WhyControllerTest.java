package dev.uplift.api.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.PauseCause;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.tenant.TenantStopRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeEnd.EndReason;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// Explanations as they are asked over REST, from recorded data, without Temporal and NATS.
@ExtendWith(SharedServerExtension.class)
final class WhyControllerTest {
  private static final String ROLLOUT =
      """
      {"draft":true,"package":"shopd","version":"2.0","selection":"true","everything":true,
       "waves":[{"rest":true}]}\
      """;

  @Test
  void aDeviceThatNothingWantsToChangeSaysSo(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    assertThat(why(testTenant, "").json().path("packages")).isEmpty();
    JsonNode explained = explain(testTenant);
    assertThat(explained.path("package").asString()).isEqualTo("shopd");
    assertThat(explained.has("wanted")).isFalse();
    assertThat(explained.at("/answer/word").asString()).isEqualTo("nothing");
  }

  @Test
  void theFirstThingThatAPersonHasToDoIsTheAnswer(TestTenant testTenant) {
    rollout(testTenant, ROLLOUT);
    assertThat(words(explain(testTenant))).startsWith("rollout");
    assertThat(explain(testTenant).path("wanted").asString()).isEqualTo("2.0");
    assertThat(why(testTenant, "").json().at("/packages/0/package").asString())
        .as("the package of an open rollout is explained although no host reports it")
        .isEqualTo("shopd");

    testTenant.operator().send("POST", testTenant.path("devices/gate/hold"), "{\"reason\":\"fair\"}").expectStatus(200);
    JsonNode held = explain(testTenant);
    assertThat(held.at("/answer/word").asString()).isEqualTo("held");
    assertThat(held.at("/answer/message").asString()).isEqualTo("operator holds the device: fair");
    assertThat(held.at("/answer/remedy").asString()).isEqualTo("`uplift device release gate` ends it");
    assertThat(held.at("/answer/since").isString()).isTrue();
  }

  @Test
  void stopsAndPinsAreTold(TestTenant testTenant) {
    rollout(testTenant, ROLLOUT);
    testTenant.server().bean(TenantStopRepository.class).stop(testTenant.name(), "incident", "ann");

    assertThat(explain(testTenant).at("/answer/word").asString()).isEqualTo("stopped");
    assertThat(explain(testTenant).at("/answer/message").asString())
        .isEqualTo("ann stopped the tenant: incident; nothing new begins");

    testTenant.server().bean(TenantStopRepository.class).end(testTenant.name());
    testTenant
        .server()
        .bean(PinRepository.class)
        .set(
            new DeviceId(testTenant.name(), "gate"),
            "shopd",
            Optional.of("1.0"),
            "a customer's wish",
            "ann",
            Optional.empty());
    assertThat(explain(testTenant).at("/answer/word").asString()).isEqualTo("pinned");
  }

  @Test
  void thePolicyThatDecidesComesFirstThenTheOneThatItOverrulesThenADisabledOne(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    policy(testTenant, "stable", "2.0", 5);
    policy(testTenant, "beta", "3.0", 1);
    policy(testTenant, "asleep", "3.0", 9);
    enable(testTenant, "stable");
    enable(testTenant, "beta");
    assertThat(explain(testTenant).at("/answer/message").asString()).isEqualTo("blocked: shopd 2.0 is not published");
    assertThat(why(testTenant, "").json().at("/packages/0/package").asString())
        .as("the package of a policy is explained although no host reports it")
        .isEqualTo("shopd");

    testTenant
        .admin()
        .send("POST", testTenant.path("releases"), testTenant.server().home().release("shopd", "2.0", 20))
        .expectStatus(201);

    JsonNode explained = explain(testTenant);
    assertThat(explained.path("wanted").asString()).isEqualTo("2.0");
    assertThat(explained.path("links").valueStream().map(link -> link.path("message").asString()))
        .startsWith(
            "the policy stable wants shopd 2.0",
            "the policy beta brings nothing yet, and another one counts here",
            "the policy asleep is disabled");
    assertThat(explained.at("/answer/word").asString()).isEqualTo("policy");
    assertThat(explained.at("/answer/message").asString()).isEqualTo("unknown: left has not reported a version");
    assertThat(explained.at("/answer/remedy").asString()).contains("--unknown-version upgrade");
    assertThat(explained.at("/links/2/remedy").asString()).isEqualTo("`uplift policy enable asleep` has it count");
  }

  private static void policy(TestTenant testTenant, String name, String version, int priority) {
    testTenant
        .operator()
        .send(
            "PUT",
            testTenant.path("policies/" + name),
            """
            {"package":"shopd","target":{"version":"%s"},"selection":"true","everything":true,"priority":%d}\
            """
                .formatted(version, priority))
        .expectStatus(201);
  }

  private static void enable(TestTenant testTenant, String policy) {
    testTenant.operator().send("POST", testTenant.path("policies/" + policy + "/enable"), "").expectStatus(200);
  }

  @Test
  void aRolloutThatPausedItselfSaysWhichThreshold(TestTenant testTenant) {
    pause(testTenant, "uplift: 2 of 2 failed", PauseCause.THRESHOLD);

    JsonNode explained = explain(testTenant);
    assertThat(explained.at("/answer/word").asString()).isEqualTo("threshold");
    assertThat(explained.at("/answer/message").asString()).contains("2 of 2 failed");
  }

  @Test
  void aPauseByAPersonOfALikeNameIsNoThreshold(TestTenant testTenant) {
    pause(testTenant, "uplift-admin: lunch", PauseCause.OPERATOR);

    JsonNode explained = explain(testTenant);
    assertThat(explained.at("/answer/word").asString()).isEqualTo("paused");
    assertThat(explained.at("/answer/message").asString()).contains("uplift-admin: lunch");
  }

  private static void pause(TestTenant testTenant, String by, PauseCause cause) {
    RolloutId id = rollout(testTenant, ROLLOUT);
    RolloutRepository rollouts = testTenant.server().bean(RolloutRepository.class);
    rollouts.setControl(
        id, RolloutJson.write(RolloutJson.readControl(rollouts.find(id).orElseThrow().control()).paused(by, cause)));
    rollouts.setState(id, RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), "paused by " + by, Optional.empty());
  }

  @Test
  void aClosedWindowIsToldWithItsNextOpening(TestTenant testTenant) {
    rollout(
        testTenant,
        ROLLOUT.replace(
            "\"waves\"",
            "\"windows\":[{\"days_of_week\":[\"mon\"],\"start_time\":\"02:00\",\"duration\":\"4h\"}],\"waves\""));

    JsonNode window =
        explain(testTenant)
            .path("links")
            .valueStream()
            .filter(link -> link.path("word").asString().startsWith("window"))
            .findFirst()
            .orElseThrow();
    assertThat(window.at("/opening/local_opens_at").isString()).isTrue();
    assertThat(window.at("/opening/opens_at").isString()).isTrue();
  }

  @Test
  void theLastErrorIsTheAnswerWhereNothingFollows(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    UpgradeRepository upgrades = testTenant.server().bean(UpgradeRepository.class);
    upgrades.createIfAbsent(
        new NewUpgrade(
            "u-1", new DeviceId(testTenant.name(), "gate"), new Release("shopd", "2.0"), "ann", "", "run-1"));
    upgrades.recordEnd(
        testTenant.name(),
        "u-1",
        new UpgradeEnd(
            Outcome.ROLLED_BACK, Optional.of(new EndReason("error", "exit-1", "final", "no space left")), "[]"));

    JsonNode explained = explain(testTenant);
    assertThat(words(explained)).isEqualTo("nothing failed ");
    assertThat(explained.at("/answer/message").asString())
        .isEqualTo("the upgrade u-1 to shopd 2.0 ended as rolled-back, exit-1: no space left");
  }

  @Test
  void aRunningUpgradeIsToldWithoutTemporalToo(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    testTenant
        .server()
        .bean(UpgradeRepository.class)
        .createIfAbsent(
            new NewUpgrade(
                "u-1", new DeviceId(testTenant.name(), "gate"), new Release("shopd", "2.0"), "ann", "", "run-1"));

    JsonNode explained = explain(testTenant);
    assertThat(words(explained)).isEqualTo("upgrade unknown ");
    assertThat(explained.at("/answer/effect").asString()).isEqualTo("works");
  }

  @Test
  void whatDoesNotExistIsNotExplained(TestTenant testTenant) {
    testTenant.viewer().get(testTenant.path("devices/none/why")).expectStatus(404);
    testTenant.putDevice("gate", "left");
    testTenant.viewer().get(testTenant.path("devices/gate/why?package=Not_A_Package")).expectStatus(400);
  }

  private static RolloutId rollout(TestTenant testTenant, String body) {
    testTenant.putDevice("gate", "left");
    testTenant
        .admin()
        .send("POST", testTenant.path("releases"), testTenant.server().home().release("shopd", "2.0", 20))
        .expectStatus(201);
    testTenant
        .operator()
        .withHeader("Idempotency-Key", "north")
        .send("POST", testTenant.path("rollouts"), body)
        .expectStatus(201);
    var id = new RolloutId(testTenant.name(), "north");
    assertThat(testTenant.server().bean(RolloutPlanner.class).launchDraft(id))
        .isInstanceOf(PlanningResult.Created.class);
    return id;
  }

  private static TestResponse why(TestTenant testTenant, String query) {
    return testTenant.viewer().get(testTenant.path("devices/gate/why" + query)).expectStatus(200);
  }

  private static JsonNode explain(TestTenant testTenant) {
    return why(testTenant, "?package=shopd").json().at("/packages/0");
  }

  private static String words(JsonNode explanation) {
    StringBuilder words = new StringBuilder();
    explanation.path("links").forEach(link -> words.append(link.path("word").asString()).append(' '));
    return words.toString();
  }
}
