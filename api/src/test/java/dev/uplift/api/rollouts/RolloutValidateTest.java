package dev.uplift.api.rollouts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.rollout.Planned;
import dev.uplift.activities.rollout.RolloutPlanner;
import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Operation;
import dev.uplift.api.server.Samples;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.store.Rollouts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// `?validate=true` at everything that changes a rollout: it is answered as it would be, and
/// nothing is done.
@ExtendWith(SharedServer.class)
final class RolloutValidateTest {
  private static final Map<String, Operation> CHANGES =
      Operation.all().stream()
          .filter(Operation::changes)
          .filter(operation -> operation.path().contains("/rollouts"))
          .collect(Collectors.toMap(Operation::id, Function.identity()));

  /// @param rollout that it is asked of, called by its state
  private record Row(String operation, String rollout, int status) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("createRollout", "none", 200),
          new Row("patchRollout", "draft", 200),
          new Row("deleteRollout", "draft", 204),
          new Row("startRollout", "draft", 200),
          new Row("pauseRollout", "running", 200),
          new Row("resumeRollout", "paused", 200),
          new Row("abortRollout", "running", 200),
          new Row("approveWave", "waiting-approval", 200),
          new Row("denyWave", "waiting-approval", 200),
          new Row("nextWave", "running", 200),
          new Row("markWaveDone", "running", 200),
          new Row("retryFailed", "paused", 200),
          new Row("rollBackWave", "paused", 200),
          new Row("putRules", "running", 200),
          new Row("addDevice", "running", 200),
          new Row("skipDevice", "running", 200));

  @Test
  void isAnsweredAsItWouldBeAndNothingIsDone(Tenant tenant) {
    assertThat(ROWS)
        .extracting(Row::operation)
        .as("nothing that changes something is left out")
        .containsExactlyInAnyOrderElementsOf(CHANGES.keySet());
    rollouts(tenant);
    List<String> before = everything(tenant);

    ROWS.forEach(row -> validate(tenant, row));

    assertThat(everything(tenant)).isEqualTo(before);
  }

  private static void validate(Tenant tenant, Row row) {
    Operation operation = requireNonNull(CHANGES.get(row.operation()));
    assertThat(operation.validates()).as("%s is documented", operation).isTrue();
    Answer answer =
        Samples.of(tenant)
            .with("rollout", row.rollout())
            .send(operation, tenant.admin(), "?validate=true");
    assertThat(answer.status()).as("%s: %s", operation, answer.text()).isEqualTo(row.status());
  }

  private static void rollouts(Tenant tenant) {
    tenant.device("gate", "left");
    String release = tenant.server().home().release("shopd", "2.0", 20);
    tenant.admin().send("POST", tenant.path("releases"), release).is(201);
    for (String state : List.of("draft", "running", "paused", "waiting-approval")) {
      tenant
          .operator()
          .with("Idempotency-Key", state)
          .send(
              "POST",
              tenant.path("rollouts"),
              "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
          .is(201);
    }
    stands(tenant, "running", RolloutState.RUNNING);
    stands(tenant, "paused", RolloutState.PAUSED);
    stands(tenant, "waiting-approval", RolloutState.WAITING_APPROVAL);
  }

  private static void stands(Tenant tenant, String rollout, RolloutState state) {
    RolloutId id = new RolloutId(tenant.name(), rollout);
    assertThat(tenant.server().bean(RolloutPlanner.class).launch(id))
        .isInstanceOf(Planned.Created.class);
    tenant.server().bean(Rollouts.class).stand(id, state, Optional.empty(), "", Optional.empty());
  }

  private static List<String> everything(Tenant tenant) {
    return List.of(
        tenant.viewer().get(tenant.path("rollouts")).is(200).text(),
        tenant.viewer().get(tenant.path("rollouts/draft")).is(200).text(),
        tenant.viewer().get(tenant.path("rollouts/running")).is(200).text(),
        tenant.viewer().get(tenant.path("rollouts/paused")).is(200).text(),
        tenant.viewer().get(tenant.path("rollouts/waiting-approval")).is(200).text(),
        tenant.viewer().get(tenant.path("rollouts/running/devices")).is(200).text(),
        tenant.viewer().get(tenant.path("audit")).is(200).text());
  }
}
