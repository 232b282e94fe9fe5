package dev.uplift.workflows.policy;

import io.temporal.workflow.Workflow;

/// Asks once, as often as it takes.
public final class PolicyRunImpl implements PolicyRun {
  @Override
  public String run(PolicyInput input) {
    return Workflow.newActivityStub(PolicySteps.class, PolicyTimeouts.stepOptions("has the policy begin"))
        .requestRun(input);
  }
}
