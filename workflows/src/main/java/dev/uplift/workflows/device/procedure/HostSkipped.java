package dev.uplift.workflows.device.procedure;

/// Leaves a host that an operator skips.
final class HostSkipped extends RuntimeException {
  private static final long serialVersionUID = 1;
}
