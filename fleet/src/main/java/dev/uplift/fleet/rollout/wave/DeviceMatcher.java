package dev.uplift.fleet.rollout.wave;

/// Whether an expression is true of a device. The same two always get the same answer.
@FunctionalInterface
public interface DeviceMatcher {
  boolean matches(String expression, SelectedDevice selectedDevice);
}
