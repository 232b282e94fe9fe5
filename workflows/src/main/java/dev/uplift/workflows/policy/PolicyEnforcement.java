package dev.uplift.workflows.policy;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.List;
import java.util.Optional;

/// Enforces a policy as long as it is enabled. Start it with [PolicyInput#workflowOptions].
///
/// It completes when the policy is disabled or deleted, after it has stopped what it had begun.
@WorkflowInterface
public interface PolicyEnforcement {
  @WorkflowMethod
  void run(PolicyInput input);

  /// Says that something has changed that may concern any device: all are looked at.
  @SignalMethod
  void recheck();

  /// Begins a run: all devices that are due are begun with, of a policy that begins in runs.
  @SignalMethod
  void beginRun();

  /// Says that these devices have changed: only they are looked at.
  @SignalMethod
  void recheckDevices(List<String> devices);

  /// How it stood when all devices were last looked at; empty before that.
  @QueryMethod
  Optional<PolicyReport> report();
}
