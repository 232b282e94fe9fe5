package dev.uplift.workflows.device.procedure;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.Reason;
import dev.uplift.workflows.device.UpgradeResult;

/// What is done to a device: it is upgraded, or an upgrade of it is taken back.
interface DeviceProcedure {
  /// Returns how it ended, whatever that was.
  UpgradeResult run(DeviceFacts facts);

  /// Has it go no further as soon as the hosts have answered, and returns at once. Safe as long as
  /// [Deadlines#canBeStopped].
  void stop(Reason why);
}
