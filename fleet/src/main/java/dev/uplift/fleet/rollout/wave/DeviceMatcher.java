package dev.uplift.fleet.rollout.wave;

/// Evaluates an expression for a device. Always returns the same for the same two.
@FunctionalInterface
public interface DeviceMatcher {
  boolean matches(String expression, SelectedDevice selectedDevice);
}
