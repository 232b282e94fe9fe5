package dev.uplift.fleet.rollout;

/// The reason why a rollout, or a device in it, waits. Programs rely on these words; a message for people always comes
/// with them.
public enum WaitReason {
  /// Another person than the author says that the wave may begin.
  APPROVAL,
  /// The time comes at which the wave may begin.
  GATE_TIME,
  /// A person says `resume`.
  PAUSED,
  /// The upgrades in progress end.
  UPGRADES_RUNNING,
  /// As many are in progress as may be.
  MAX_PARALLEL,
  /// As many were started in this minute as may be.
  RATE_LIMIT,
  /// As many of its group are in progress, or not verified, as may be.
  GROUP_LIMIT,
  /// A maintenance window opens.
  WINDOW,
  /// No window of it opens before the deadline.
  NO_WINDOW,
  /// The time between two tries.
  BACK_OFF,
  /// Another upgrade of the device ends.
  DEVICE_BUSY,
  /// A rollout that comes first has had the device.
  LOWER_PRIORITY,
  /// A host of the device is heard again.
  OFFLINE,
  /// This server has listened for long enough to know which hosts are heard.
  PRESENCE_UNKNOWN,
  /// A person lets go of the device.
  DEVICE_HELD,
  /// The package is no longer pinned to another version on the device.
  DEVICE_PINNED,
  /// A person ends the stop of the tenant.
  STOPPED,
  /// The time during which upgraded devices have to stay healthy.
  SOAK,
  /// The devices of a wave are back at the version from before.
  ROLLING_BACK,
  /// The upgrades in progress end, then the rollout does.
  ABORTING;

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
