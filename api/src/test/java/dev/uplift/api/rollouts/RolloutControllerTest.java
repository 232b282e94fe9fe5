package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.api.testing.TestTokens;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.store.Database;
import dev.uplift.store.reconciler.FailingWorkflow;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutDecisionRepository;
import dev.uplift.store.rollout.RolloutRepository;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Rollouts as requested and shown, without Temporal: recorded data is available, actions are not.
@ExtendWith(SharedServerExtension.class)
final class RolloutControllerTest {
  private static final String ALL =
      """
      {"package":"shopd","version":"2.0","selection":"labels.region == 'north'",
       "everything":true,"waves":[{"count":1},{"rest":true,"gate":"approval"}]}\
      """;

  private static final String DRAFT = ALL.replace("{\"package", "{\"draft\":true,\"package");

  @Test
  void aValidatedRolloutListsItsWavesAndStoresNothing(TestTenant testTenant) {
    fleet(testTenant, 4);
    TestResponse checked = create(testTenant, "north?validate=true", ALL).expectStatus(200);

    assertThat(checked.json().path("id").asString()).isEqualTo("north");
    assertThat(checked.json().path("devices").asInt()).isEqualTo(4);
    assertThat(checked.json().path("waves").toString()).contains("\"number\":1", "\"devices\":3");
    assertThat(checked.json().path("waves").get(0).path("sample").size()).isEqualTo(1);
    assertThat(list(testTenant, "")).isEmpty();

    running(testTenant);
    assertThat(devices(testTenant, "north", "?wave=1"))
        .as("the same canary as in the preview")
        .containsExactly(checked.json().path("waves").get(0).path("sample").get(0).asString());
  }

  @Test
  void aRolloutIsShownWithPlanWavesAndCounts(TestTenant testTenant) {
    fleet(testTenant, 4);
    TestResponse created = create(testTenant, "north", ALL).expectStatus(201);
    TestResponse shown = testTenant.viewer().get(testTenant.path("rollouts/north")).expectStatus(200);

    assertThat(shown.text()).isEqualTo(created.text());
    assertThat(shown.header("ETag")).isPresent();
    assertThat(created.header("Location")).contains("/v1/tenants/%s/rollouts/north".formatted(testTenant.name()));
    assertThat(shown.json().path("title").asString()).isEqualTo("shopd 2.0");
    assertThat(shown.json().path("state").asString()).isEqualTo("running");
    assertThat(shown.json().path("created_by").asString()).isEqualTo("operator");
    assertThat(shown.json().path("counts").path("pending").asInt()).isEqualTo(4);
    assertThat(shown.texts("waves", "state")).containsExactly("pending", "pending");
    assertThat(shown.json().path("plan").path("thresholds").path("failures").asInt()).isEqualTo(2);
    assertThat(shown.json().path("plan").path("thresholds").has("consecutive_failures"))
        .as("the absence of a limit is shown")
        .isTrue();
    assertThat(shown.json().path("plan").path("waves").get(1).path("gate").asString()).isEqualTo("approval");
    assertThat(shown.json().path("temporal_ui").asString())
        .endsWith("/workflows/rollout%2F" + testTenant.name() + "%2Fnorth");
    assertThat(shown.json().path("allowed_actions").toString()).contains("pause", "abort");
    assertThat(list(testTenant, "?state=running&package=shopd")).containsExactly("north");
    assertThat(list(testTenant, "?state=ended")).isEmpty();
    assertThat(devices(testTenant, "north", "?state=pending")).hasSize(4);
    assertThat(get(testTenant, "north/waves").texts("items", "title")).hasSize(2);
    assertThat(get(testTenant, "north/failures").texts("items", "code")).isEmpty();
    assertThat(get(testTenant, "north/decisions").texts("items", "decision")).isEmpty();
    assertThat(get(testTenant, "north/excluded").texts("items", "device")).isEmpty();
  }

  @Test
  void theSameKeyIsTheSameRolloutAndAnotherPlanIsRejected(TestTenant testTenant) {
    fleet(testTenant, 3);
    String usual = DRAFT.replaceAll(",\"waves\".*]", "");
    TestResponse first = create(testTenant, "north", usual).expectStatus(201);

    assertThat(create(testTenant, "north", usual).expectStatus(200).text()).isEqualTo(first.text());
    assertThat(create(testTenant, "north", DRAFT).expectStatus(409).detail())
        .contains("north is that of the rollout \"shopd 2.0\" by operator");
    assertThat(create(testTenant, "No", ALL).expectStatus(400).errors())
        .containsExactly("Idempotency-Key: expected ^[a-z0-9][a-z0-9-]{0,31}$");
    assertThat(audit(testTenant)).containsExactly("rollout.create");
  }

  @Test
  void invalidPlansAreRejectedWithPointers(TestTenant testTenant) {
    fleet(testTenant, 2);

    assertThat(create(testTenant, "x", ALL.replace("2.0", "9.9")).expectStatus(422).errors())
        .containsExactly(
            "/version: there is no release shopd 9.9 in %s; publish it first".formatted(testTenant.name()));
    assertThat(create(testTenant, "x", ALL.replace("north", "south")).expectStatus(422).errors())
        .containsExactly("/selection: takes none of the 2 devices; expected one that is true of" + " at least one");
    assertThat(create(testTenant, "x", ALL.replace("labels.region ==", "lables.region ==")).status()).isEqualTo(422);
    assertThat(
            create(testTenant, "x", ALL.replace("true", "false").replace("false,\"gate", "true,\"gate"))
                .expectStatus(422)
                .errors())
        .containsExactly("/everything: the selection takes all 2 devices; expected true to confirm that");
    assertThat(create(testTenant, "x", "{}").expectStatus(400).errors()).hasSize(3);
    assertThat(list(testTenant, "")).isEmpty();
    assertThat(audit(testTenant)).isEmpty();
  }

  @Test
  void aWorkflowThatDoesNotContinueIsShown(TestTenant testTenant) {
    fleet(testTenant, 4);
    create(testTenant, "north", ALL).expectStatus(201);
    FailingWorkflowRepository failing = testTenant.server().bean(FailingWorkflowRepository.class);
    String workflow = "rollout/%s/north".formatted(testTenant.name());
    Instant since = Instant.parse("2026-11-23T04:00:00Z");

    failing.put(new FailingWorkflow(testTenant.name(), workflow, since, 7, "no such step"));

    assertThat(get(testTenant, "north").json().path("failing_workflow").asString())
        .isEqualTo(
            "its workflow does not continue: its task has failed 7 times since 2026-11-23T04:00:00Z: no such step");
    assertThat(testTenant.server().anonymousClient().get("/health").text())
        .contains("workflows that fail again and again: ")
        .doesNotContain(testTenant.name());
    failing.delete(testTenant.name(), workflow);
    assertThat(get(testTenant, "north").json().has("failing_workflow")).isFalse();
  }

  @Test
  void aDraftIsChangedStartedOrDeleted(TestTenant testTenant) {
    fleet(testTenant, 3);
    TestResponse made = create(testTenant, "north", DRAFT).expectStatus(201);
    assertThat(made.json().path("state").asString()).isEqualTo("draft");
    String path = testTenant.path("rollouts/north");
    String tag = made.header("ETag").orElseThrow();

    testTenant.operator().withHeader("If-Match", "\"99\"").send("PATCH", path, "{\"priority\":3}").expectStatus(412);
    TestResponse patched =
        testTenant.operator().withHeader("If-Match", tag).send("PATCH", path, "{\"priority\":3}").expectStatus(200);
    assertThat(patched.json().path("priority").asInt()).isEqualTo(3);
    assertThat(patched.json().path("plan").path("waves").size()).isEqualTo(2);
    assertThat(patched.header("ETag")).isNotEqualTo(made.header("ETag"));
    assertThat(testTenant.operator().send("PATCH", path, "{\"priority\":3000}").expectStatus(400).errors())
        .containsExactly("/priority: expected -1000 to 1000, found 3000");
    assertThat(testTenant.operator().send("POST", path + "/pause", "{}").expectStatus(409).detail())
        .isEqualTo("the rollout is draft; possible now: start");
    assertThat(testTenant.operator().send("POST", path + "/start?validate=true", "{}").expectStatus(200).text())
        .contains("would start with 3 devices");
    assertThat(testTenant.operator().send("POST", path + "/start", "{}").expectStatus(200).text())
        .contains("the rollout is running");
    testTenant.operator().delete(path).expectStatus(409);
    testTenant.operator().send("PATCH", path, "{}").expectStatus(409);
    create(testTenant, "south", DRAFT).expectStatus(201);
    testTenant.operator().delete(testTenant.path("rollouts/south?validate=true")).expectStatus(204);
    testTenant.operator().delete(testTenant.path("rollouts/south")).expectStatus(204);
    testTenant.viewer().get(testTenant.path("rollouts/south")).expectStatus(404);
    assertThat(audit(testTenant))
        .containsExactly("rollout.delete", "rollout.create", "rollout.start", "rollout.patch", "rollout.create");
  }

  @Test
  void actionsAreCheckedAgainstTheStateAndNeedTemporal(TestTenant testTenant) {
    fleet(testTenant, 3);
    running(testTenant);
    List<String> possible = List.of("pause", "abort", "next-wave", "skip-remaining", "retry-failed", "roll-back-wave");
    String path = testTenant.path("rollouts/north/");

    for (String what : possible) {
      testTenant.operator().send("POST", path + what + "?validate=true", "{}").expectStatus(200);
    }
    testTenant.operator().send("POST", path + "pause", "{}").expectStatus(503);
    testTenant.operator().send("POST", path + "devices?validate=true", "{\"devices\":[\"d0\"]}").expectStatus(200);
    testTenant
        .operator()
        .send("POST", path + "skip-devices?validate=true", "{\"devices\":[\"d0\",\"d1\"]}")
        .expectStatus(200);
    for (String list : new String[] {"{}", "{\"devices\":null}", "{\"devices\":[]}", "{\"devices\":[null]}"}) {
      testTenant.operator().send("POST", path + "skip-devices", list).expectStatus(400);
      testTenant.operator().send("POST", path + "devices", list).expectStatus(400);
    }
    testTenant.operator().send("PUT", path + "rules?validate=true", "{}").expectStatus(200);
    assertThat(testTenant.operator().send("POST", path + "resume", "{}").expectStatus(409).detail())
        .startsWith("the rollout is running; possible now: pause, abort,");
    assertThat(testTenant.operator().send("POST", path + "retry-failed", "{\"code\":\"x\"}").expectStatus(400).errors())
        .containsExactly("/code: unknown field; expected one of reason, error_codes");
    assertThat(
            testTenant
                .operator()
                .send("PUT", path + "rules", "{\"thresholds\":{\"failures\":0}}")
                .expectStatus(400)
                .errors())
        .containsExactly("/thresholds/failures: expected at least 1, found 0");
    testTenant.operator().withHeader("If-Match", "\"99\"").send("PUT", path + "rules", "{}").expectStatus(412);
  }

  @Test
  void anotherPersonThanTheAuthorApproves(TestTenant testTenant) {
    fleet(testTenant, 3);
    running(testTenant);
    waitsForApproval(testTenant);
    String path = testTenant.path("rollouts/north/approve?validate=true");

    TestResponse shown = get(testTenant, "north");
    assertThat(shown.json().path("waiting_for").path("reason").asString()).isEqualTo("approval");
    assertThat(shown.json().path("waiting_for").path("until").asString()).isEqualTo("2027-01-01T00:00:00Z");
    int revision = shown.json().path("revision").asInt();
    assertThat(testTenant.operator().send("POST", path, approval(revision)).expectStatus(403).detail())
        .isEqualTo("operator created, changed or started this rollout; another person has to approve it");
    testTenant.admin().send("POST", path, approval(revision)).expectStatus(200);
  }

  @Test
  void theSamePersonWithAnotherLoginDoesNotApprove(TestTenant testTenant) {
    fleet(testTenant, 3);
    running(testTenant);
    testTenant
        .server()
        .bean(RolloutRepository.class)
        .addAuthor(new RolloutId(testTenant.name(), "north"), "corp#admin");
    waitsForApproval(testTenant);
    int revision = get(testTenant, "north").json().path("revision").asInt();
    String path = testTenant.path("rollouts/north/approve?validate=true");

    testTenant.admin().send("POST", path, approval(revision)).expectStatus(403);
    client(testTenant, "bob").send("POST", path, approval(revision)).expectStatus(200);
  }

  private static TestClient client(TestTenant testTenant, String subject) {
    String token =
        TestTokens.signed(
            ServerHome.TOKEN_SECRET, TestTokens.claims(testTenant.name(), "operator").subject(subject).build());
    return new TestClient(testTenant.server(), Map.of("Authorization", "Bearer " + token));
  }

  @Test
  void anApprovalNamesTheRevisionThatWasLookedAt(TestTenant testTenant) {
    fleet(testTenant, 3);
    running(testTenant);
    waitsForApproval(testTenant);
    int revision = get(testTenant, "north").json().path("revision").asInt();
    String path = testTenant.path("rollouts/north/approve?validate=true");

    assertThat(testTenant.admin().send("POST", path, "{}").expectStatus(400).errors())
        .singleElement()
        .asString()
        .startsWith("/revision: ");
    assertThat(testTenant.admin().send("POST", path, approval(revision - 1)).expectStatus(409).detail())
        .isEqualTo("the rollout is at revision %d, not %d; read it again".formatted(revision, revision - 1));
  }

  @Test
  void whoChangedOrStartedTheDraftOfAnotherPersonDoesNotApproveIt(TestTenant testTenant) {
    fleet(testTenant, 3);
    create(testTenant, "north", DRAFT).expectStatus(201);
    String path = testTenant.path("rollouts/north");
    testTenant.admin().send("PATCH", path, "{\"title\":\"all of them\"}").expectStatus(200);
    testTenant.admin().send("POST", path + "/start", "{}").expectStatus(200);
    waitsForApproval(testTenant);
    int revision = get(testTenant, "north").json().path("revision").asInt();

    for (TestClient author : List.of(testTenant.operator(), testTenant.admin())) {
      assertThat(author.send("POST", path + "/approve?validate=true", approval(revision)).expectStatus(403).detail())
          .contains("another person has to approve it");
    }
  }

  @Test
  void aRepeatedActionIsRefusedIfItsPreconditionCannotBeRead(TestTenant testTenant) {
    fleet(testTenant, 3);
    running(testTenant);
    recordAction(testTenant, "a-1");
    TestClient again = testTenant.operator().withHeader("Idempotency-Key", "a-1");
    String pause = testTenant.path("rollouts/north/pause");

    TestResponse refused = again.withHeader("If-Match", "one").send("POST", pause, "{}").expectStatus(400);

    assertThat(refused.errors().getFirst()).startsWith("If-Match: expected an ETag");
    again.withHeader("If-Match", "\"99\"").send("POST", pause, "{}").expectStatus(200);
  }

  @Test
  void theKeyOfAnotherActionIsRefused(TestTenant testTenant) {
    fleet(testTenant, 3);
    running(testTenant);
    recordAction(testTenant, "a-1");
    TestClient again = testTenant.operator().withHeader("Idempotency-Key", "a-1");

    assertThat(again.send("POST", testTenant.path("rollouts/north/abort"), "{}").expectStatus(409).detail())
        .isEqualTo("the Idempotency-Key a-1 is that of pause; another action needs another");

    again.send("POST", testTenant.path("rollouts/north/pause"), "{}").expectStatus(200);
  }

  private static void recordAction(TestTenant testTenant, String id) {
    Database database = testTenant.server().bean(Database.class);
    var rollout = new RolloutId(testTenant.name(), "north");
    var decision = new NewDecision(1, "pause", "", "nothing more is started", "", "operator", Optional.of(id));
    database.inTransaction(() -> {
      var _ = testTenant.server().bean(RolloutRepository.class).lock(rollout);
      return testTenant.server().bean(RolloutDecisionRepository.class).append(rollout, decision);
    });
  }

  private static String approval(int revision) {
    return "{\"reason\":\"looks well\",\"revision\":%d}".formatted(revision);
  }

  private static void waitsForApproval(TestTenant testTenant) {
    testTenant
        .server()
        .bean(RolloutRepository.class)
        .setState(
            new RolloutId(testTenant.name(), "north"),
            RolloutState.WAITING_APPROVAL,
            Optional.of(WaitReason.APPROVAL),
            "wave 2 waits for another person than operator",
            Optional.of(Instant.parse("2027-01-01T00:00:00Z")));
  }

  private static void fleet(TestTenant testTenant, int devices) {
    for (int i = 0; i < devices; i++) {
      testTenant
          .admin()
          .send(
              "PUT",
              testTenant.path("devices/d" + i),
              "{\"hosts\":[\"h%d\"],\"labels\":{\"region\":\"north\"}}".formatted(i))
          .expectStatus(201);
    }
    testTenant
        .admin()
        .send("POST", testTenant.path("releases"), testTenant.server().home().release("shopd", "2.0", 20))
        .expectStatus(201);
  }

  /// Marks the rollout as started, without waiting for Temporal, which is unavailable.
  private static void running(TestTenant testTenant) {
    create(testTenant, "north", DRAFT).expectStatus(201);
    assertThat(testTenant.server().bean(RolloutPlanner.class).launchDraft(new RolloutId(testTenant.name(), "north")))
        .isInstanceOf(PlanningResult.Created.class);
  }

  private static TestResponse create(TestTenant testTenant, String id, String body) {
    String query = id.contains("?") ? id.substring(id.indexOf('?')) : "";
    return testTenant
        .operator()
        .withHeader("Idempotency-Key", id.replace(query, ""))
        .send("POST", testTenant.path("rollouts" + query), body);
  }

  private static TestResponse get(TestTenant testTenant, String below) {
    return testTenant.viewer().get(testTenant.path("rollouts/" + below)).expectStatus(200);
  }

  private static List<String> list(TestTenant testTenant, String query) {
    return testTenant.viewer().get(testTenant.path("rollouts" + query)).expectStatus(200).texts("items", "id");
  }

  private static List<String> devices(TestTenant testTenant, String rollout, String query) {
    return get(testTenant, rollout + "/devices" + query).texts("items", "device");
  }

  private static List<String> audit(TestTenant testTenant) {
    return testTenant.viewer().get(testTenant.path("audit")).expectStatus(200).texts("items", "action").stream()
        .filter(action -> action.startsWith("rollout."))
        .toList();
  }
}
