package dev.uplift.workflows.device.procedure;

/// Leaves the way forward, or gives a host up on the way back. Why is kept by [StepRunner].
final class UpgradeStopped extends RuntimeException {
  private static final long serialVersionUID = 1;

  UpgradeStopped(String why) {
    super(why);
  }
}
