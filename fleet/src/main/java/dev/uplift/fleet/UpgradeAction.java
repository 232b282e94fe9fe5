package dev.uplift.fleet;

import java.time.Instant;

/// An action of an operator on a running upgrade. [UpgradeState#refusal] says which ones it accepts.
public sealed interface UpgradeAction {
  /// Stops the upgrade and rolls back what was changed.
  record Abort() implements UpgradeAction {}

  /// Starts no further step.
  record Pause() implements UpgradeAction {}

  record Resume() implements UpgradeAction {}

  /// Retries the step of a host that waits for an operator.
  record RetryStep(HostId host) implements UpgradeAction {}

  /// Leaves a host as it is that waits for an operator.
  record SkipHost(HostId host) implements UpgradeAction {}

  /// Moves the deadline to a later time.
  record ExtendDeadline(Instant notAfter) implements UpgradeAction {}

  /// Approves it, by another person than its author.
  record Approve(String by) implements UpgradeAction {}

  /// Ends it as declined, by another person than its author.
  record Deny(String by) implements UpgradeAction {}
}
