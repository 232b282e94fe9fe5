package dev.uplift.fleet.rollout.plan;

import java.time.Duration;

/// How a rollout treats the maintenance windows of its devices.
///
/// @param reason why windows are ignored; empty if they are not
/// @param onClose what becomes of a device that is in progress when its window closes
/// @param prepareAhead how long before its window a device may begin to prepare
/// @param requiredTime how much of a window has to be left for a device to start in it
public record WindowRule(Mode mode, String reason, OnClose onClose, Duration prepareAhead, Duration requiredTime) {
  public static final WindowRule DEFAULTS =
      new WindowRule(Mode.WAIT, "", OnClose.FINISH, Duration.ofHours(24), Duration.ofMinutes(30));

  private static final Duration MAX_PREPARE_AHEAD = Duration.ofDays(7);
  private static final Duration MAX_REQUIRED_TIME = Duration.ofDays(1);

  /// How windows apply.
  public enum Mode {
    WAIT,
    /// Windows are ignored, for a reason that is kept.
    IGNORE
  }

  /// The treatment of a device whose window closes during its upgrade.
  public enum OnClose {
    /// It is brought to its end.
    FINISH,
    /// The host in progress is brought to its end; those that were not begun stay as they are.
    STOP_BEFORE_NEXT_HOST,
    /// Changed hosts are rolled back, within the rollback scope of the upgrade.
    ROLL_BACK
  }

  void validate(ViolationCollector violations) {
    violations.require(
        mode == Mode.WAIT || !reason.isBlank(),
        "reason",
        "is empty; expected why the windows of the devices are ignored");
    violations.requireWithin(MAX_PREPARE_AHEAD, "prepare_ahead_seconds", prepareAhead);
    violations.requireWithin(MAX_REQUIRED_TIME, "required_time_seconds", requiredTime);
  }
}
