package dev.uplift.fleet.barrier;

import java.util.Locale;

/// The end of a barrier.
public enum BarrierOutcome {
  /// All had halted, and the migration is done.
  COMPLETED,
  /// The migration is done, and some had not halted.
  COMPLETED_WITHOUT,
  /// Nothing was migrated, as far as the barrier knows: hosts were missing, or it was aborted.
  ABORTED,
  /// The device that was to be upgraded was not.
  MIGRATION_FAILED,
  /// The migration took so long that the hosts had resumed by themselves.
  EXPIRED;

  /// Returns how a barrier ends whose migration is done.
  ///
  /// @param missing hosts that had not halted
  public static BarrierOutcome ofMigrated(int missing) {
    return missing == 0 ? COMPLETED : COMPLETED_WITHOUT;
  }

  /// Returns how a barrier ends whose device was to be upgraded.
  ///
  /// @param isDone whether the device was upgraded
  /// @param isOver whether the halted hosts have resumed by themselves meanwhile
  /// @param missing hosts that had not halted
  public static BarrierOutcome ofUpgrade(boolean isDone, boolean isOver, int missing) {
    if (!isDone) {
      return MIGRATION_FAILED;
    }
    return isOver ? EXPIRED : ofMigrated(missing);
  }

  /// Returns whether the migration is done, and no halted host ran through it.
  public boolean isMigrated() {
    return this == COMPLETED || this == COMPLETED_WITHOUT;
  }

  /// The fixed word of it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
