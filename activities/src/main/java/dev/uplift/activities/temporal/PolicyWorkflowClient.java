package dev.uplift.activities.temporal;

import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.workflows.policy.PolicyEnforcement;
import dev.uplift.workflows.policy.PolicyInput;
import io.temporal.client.WorkflowClient;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Consumer;

/// Starts the workflows of policies and sends them signals. All calls throw [TemporalUnavailable] if it is unknown
/// whether Temporal did what was asked.
@Singleton
public final class PolicyWorkflowClient {
  private final WorkflowClient client;

  public PolicyWorkflowClient(TemporalClients temporal) {
    this.client = temporal.requestClient();
  }

  /// Starts the workflow of a policy if it does not run; has all devices looked at. Safe to repeat.
  public void startOrRecheck(PolicyRow policy) {
    startWith(input(policy), PolicyEnforcement::recheck);
  }

  /// Starts the workflow of a policy that is disabled or deleted, if it does not run; has what was begun stopped. Safe
  /// to repeat.
  public void stop(PolicyId policy, String packageName) {
    startWith(new PolicyInput(policy.tenant(), policy.name(), packageName), PolicyEnforcement::recheck);
  }

  /// Starts the workflow of a policy if it does not run; has it begin a run.
  public void beginRun(PolicyRow policy) {
    startWith(input(policy), PolicyEnforcement::beginRun);
  }

  private static PolicyInput input(PolicyRow policy) {
    return new PolicyInput(policy.tenant(), policy.name(), policy.packageName());
  }

  private void startWith(PolicyInput input, Consumer<PolicyEnforcement> signal) {
    PolicyEnforcement workflow = client.newWorkflowStub(PolicyEnforcement.class, input.workflowOptions());
    TemporalClients.signalWithStart(client, workflow::run, input, () -> signal.accept(workflow));
  }

  /// Has all devices looked at, or what was begun stopped if the policy is disabled or deleted. Returns false, and does
  /// nothing, if the workflow does not run.
  public boolean recheck(PolicyId policy) {
    return TemporalClients.signalIfRunning(() -> stub(policy).recheck());
  }

  /// Has these devices looked at. Does nothing if the workflow does not run.
  public void recheckDevices(PolicyId policy, List<String> devices) {
    var _ = TemporalClients.signalIfRunning(() -> stub(policy).recheckDevices(devices));
  }

  public boolean isRunning(PolicyId policy) {
    return TemporalClients.isRunning(client, PolicyInput.workflowId(policy.tenant(), policy.name()));
  }

  private PolicyEnforcement stub(PolicyId policy) {
    return client.newWorkflowStub(PolicyEnforcement.class, PolicyInput.workflowId(policy.tenant(), policy.name()));
  }
}
