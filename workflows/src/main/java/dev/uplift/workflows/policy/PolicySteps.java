package dev.uplift.workflows.policy;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/// The work of a policy. Each activity looks at devices, begins what is due, and returns how the policy stands then.
///
/// Safe to repeat, also side by side: what is begun is in the tables before anything follows from it, and its ids are
/// the same each time.
@ActivityInterface
public interface PolicySteps {
  /// Looks at all devices. Of a disabled or deleted policy it stops what was begun.
  @ActivityMethod(name = "enforce-policy")
  PolicyReport enforce(PolicyInput input);

  /// Looks at all devices in a run of a policy that begins in runs.
  @ActivityMethod(name = "run-policy")
  PolicyReport run(PolicyInput input);

  /// Has the workflow of the policy begin a run, or takes the schedule away from a policy that does not begin in runs,
  /// or is disabled or deleted. Returns what was done, for people.
  @ActivityMethod(name = "request-policy-run")
  String requestRun(PolicyInput input);

  /// Looks at these devices alone.
  @ActivityMethod(name = "enforce-policy-on-devices")
  PolicyReport enforceOnDevices(PolicyInput input, List<String> devices);
}
