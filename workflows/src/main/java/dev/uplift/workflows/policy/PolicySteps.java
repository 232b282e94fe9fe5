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

  /// Looks at these devices alone.
  @ActivityMethod(name = "enforce-policy-on-devices")
  PolicyReport enforceOnDevices(PolicyInput input, List<String> devices);
}
