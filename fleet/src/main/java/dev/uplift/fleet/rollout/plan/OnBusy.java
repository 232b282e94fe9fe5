package dev.uplift.fleet.rollout.plan;

/// What is done about a device that another upgrade or rollout has.
public enum OnBusy {
  /// It comes later.
  WAIT,
  /// It is left out.
  SKIP
}
