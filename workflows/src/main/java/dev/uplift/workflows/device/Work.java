package dev.uplift.workflows.device;

import dev.uplift.fleet.Findings;
import dev.uplift.fleet.Reason;

/// What is done to a device: it is upgraded, or an upgrade of it is taken back.
interface Work {
  /// Returns how it ended, whatever that was.
  Ending run(Findings found);

  /// Has it go no further as soon as the hosts have answered, and returns at once. Safe as long as
  /// [Course#canBeStopped].
  void halt(Reason why);
}
