package dev.uplift.fleet.rollout.plan;

/// The treatment of a device that another upgrade or rollout works on.
public enum OnBusy {
  /// It comes later.
  WAIT,
  /// It is left out.
  SKIP
}
