package dev.uplift.api.rollouts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ApiOperation;
import dev.uplift.api.testing.SampleRequests;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.store.rollout.RolloutRepository;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// `?validate=true` with every operation that changes a rollout: the answer is that of the real request, and nothing is
/// done.
@ExtendWith(SharedServerExtension.class)
final class RolloutValidateOnlyTest {
  private static final Map<String, ApiOperation> CHANGES =
      ApiOperation.all().stream()
          .filter(ApiOperation::isWrite)
          .filter(apiOperation -> apiOperation.path().contains("/rollouts"))
          .collect(Collectors.toMap(ApiOperation::id, Function.identity()));

  /// @param rollout of the request, named after its state
  private record RolloutValidateCase(String operation, String rollout, int status) {}

  private static final List<RolloutValidateCase> ROWS =
      List.of(
          new RolloutValidateCase("createRollout", "none", 200),
          new RolloutValidateCase("patchRollout", "draft", 200),
          new RolloutValidateCase("deleteRollout", "draft", 204),
          new RolloutValidateCase("startRollout", "draft", 200),
          new RolloutValidateCase("pauseRollout", "running", 200),
          new RolloutValidateCase("resumeRollout", "paused", 200),
          new RolloutValidateCase("abortRollout", "running", 200),
          new RolloutValidateCase("approveWave", "waiting-approval", 200),
          new RolloutValidateCase("denyWave", "waiting-approval", 200),
          new RolloutValidateCase("nextWave", "running", 200),
          new RolloutValidateCase("skipRemaining", "running", 200),
          new RolloutValidateCase("retryFailed", "paused", 200),
          new RolloutValidateCase("rollBackWave", "paused", 200),
          new RolloutValidateCase("putRolloutRules", "running", 200),
          new RolloutValidateCase("addRolloutDevices", "running", 200),
          new RolloutValidateCase("skipRolloutDevices", "running", 200));

  @Test
  void validationAnswersLikeTheRealRequestAndChangesNothing(TestTenant testTenant) {
    assertThat(ROWS)
        .extracting(RolloutValidateCase::operation)
        .as("all operations that change a rollout")
        .containsExactlyInAnyOrderElementsOf(CHANGES.keySet());
    rollouts(testTenant);
    List<String> before = snapshot(testTenant);

    ROWS.forEach(rolloutValidateCase -> validate(testTenant, rolloutValidateCase));

    assertThat(snapshot(testTenant)).isEqualTo(before);
  }

  private static void validate(TestTenant testTenant, RolloutValidateCase rolloutValidateCase) {
    ApiOperation apiOperation = requireNonNull(CHANGES.get(rolloutValidateCase.operation()));
    assertThat(apiOperation.supportsValidate()).as("%s is documented", apiOperation).isTrue();
    TestResponse testResponse =
        SampleRequests.of(testTenant)
            .with("rollout", rolloutValidateCase.rollout())
            .withBody("approveWave", "{\"revision\":%d}".formatted(revision(testTenant)))
            .send(apiOperation, testTenant.admin(), "?validate=true");
    assertThat(testResponse.status())
        .as("%s: %s", apiOperation, testResponse.text())
        .isEqualTo(rolloutValidateCase.status());
  }

  private static long revision(TestTenant testTenant) {
    return testTenant
        .viewer()
        .get(testTenant.path("rollouts/waiting-approval"))
        .expectStatus(200)
        .json()
        .path("revision")
        .asLong();
  }

  private static void rollouts(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    String release = testTenant.server().home().release("shopd", "2.0", 20);
    testTenant.admin().send("POST", testTenant.path("releases"), release).expectStatus(201);
    for (String state : List.of("draft", "running", "paused", "waiting-approval")) {
      testTenant
          .operator()
          .withHeader("Idempotency-Key", state)
          .send(
              "POST",
              testTenant.path("rollouts"),
              "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
          .expectStatus(201);
    }
    stands(testTenant, "running", RolloutState.RUNNING);
    stands(testTenant, "paused", RolloutState.PAUSED);
    stands(testTenant, "waiting-approval", RolloutState.WAITING_APPROVAL);
  }

  private static void stands(TestTenant testTenant, String rollout, RolloutState state) {
    RolloutId id = new RolloutId(testTenant.name(), rollout);
    assertThat(testTenant.server().bean(RolloutPlanner.class).launchDraft(id))
        .isInstanceOf(PlanningResult.Created.class);
    testTenant.server().bean(RolloutRepository.class).setState(id, state, Optional.empty(), "", Optional.empty());
  }

  private static List<String> snapshot(TestTenant testTenant) {
    return List.of(
        testTenant.viewer().get(testTenant.path("rollouts")).expectStatus(200).text(),
        testTenant.viewer().get(testTenant.path("rollouts/draft")).expectStatus(200).text(),
        testTenant.viewer().get(testTenant.path("rollouts/running")).expectStatus(200).text(),
        testTenant.viewer().get(testTenant.path("rollouts/paused")).expectStatus(200).text(),
        testTenant.viewer().get(testTenant.path("rollouts/waiting-approval")).expectStatus(200).text(),
        testTenant.viewer().get(testTenant.path("rollouts/running/devices")).expectStatus(200).text(),
        testTenant.viewer().get(testTenant.path("audit")).expectStatus(200).text());
  }
}
