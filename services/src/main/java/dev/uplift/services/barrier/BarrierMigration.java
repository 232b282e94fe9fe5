package dev.uplift.services.barrier;

import java.util.Optional;

/// The change to make while all hosts are halted.
public sealed interface BarrierMigration {
  /// A person or a program does it, and says when it is done.
  record Approval() implements BarrierMigration {}

  /// A device is upgraded.
  ///
  /// @param packageName empty: that of the barrier
  record DeviceMigration(String device, Optional<String> packageName, String version) implements BarrierMigration {}
}
