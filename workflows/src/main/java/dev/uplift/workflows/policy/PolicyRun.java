package dev.uplift.workflows.policy;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/// A run of a policy, started by its Temporal Schedule: has the workflow of the policy begin.
@WorkflowInterface
public interface PolicyRun {
  /// Returns what was done, for people.
  @WorkflowMethod
  String run(PolicyInput input);
}
