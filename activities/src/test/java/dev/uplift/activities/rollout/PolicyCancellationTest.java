package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.workflows.policy.PolicyInput;
import dev.uplift.workflows.policy.PolicySteps;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// The activity of a policy without its workflow.
final class PolicyCancellationTest extends PolicyScenario {
  private final TestActivityEnvironment environment = TestActivityEnvironment.newInstance();
  private PolicySteps steps;

  @BeforeEach
  void register() {
    environment.registerActivitiesImplementations(worker.policySteps());
    steps =
        environment.newActivityStub(
            PolicySteps.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofMinutes(1))
                .setHeartbeatTimeout(Duration.ofSeconds(30))
                .build());
  }

  @AfterEach
  void closeEnvironment() {
    environment.close();
  }

  @Test
  void aCancelledActivityEndsAfterThePageThatItLooksAtAndBeginsNothing(TestInfo info) {
    PolicyId policy = enabledInTables(info);
    environment.requestCancelActivity();

    assertThatThrownBy(() -> steps.enforce(new PolicyInput(policy.tenant(), policy.name(), "os")))
        .isInstanceOf(CanceledFailure.class);

    assertThat(evaluation(policy)).isEmpty();
    assertThat(tables.ofPolicies().findOpen(policy)).isEmpty();
  }

  private PolicyId enabledInTables(TestInfo info) {
    String fleet = fleet(info, 1);
    run(OLD, names(fleet, 1));
    PolicyId policy = put(fleet, fleet, new PolicyTarget.Exactly("1.5.0"), 0);
    tables.policies().setEnabled(policy, true, "ann");
    return policy;
  }
}
