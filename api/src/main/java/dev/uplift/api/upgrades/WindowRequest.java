package dev.uplift.api.upgrades;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import java.time.Duration;

/// What somebody wants of the windows of a device that is to be upgraded.
///
/// @param waitForWindow whether it waits for one rather than being refused
/// @param ignoreWindows whether they are ignored, for the reason
/// @param onClose what becomes of the device if its window closes while it is in work
/// @param requiredTime how much of a window has to be left when it starts
record WindowRequest(boolean waitForWindow, boolean ignoreWindows, String reason, OnClose onClose, Duration requiredTime) {
  private static final int REASON_CHARS = 500;
  private static final Duration MAX_REQUIRED_TIME = Duration.ofDays(1);

  static WindowRequest read(JsonBody in, JsonField<RollbackScope> reach) {
    JsonField<Boolean> wait = in.optional("wait_for_window", ValueReaders.BOOLEAN);
    JsonField<Boolean> force = in.optional("ignore_windows", ValueReaders.BOOLEAN);
    JsonField<String> reason = in.optional("reason", ValueReaders.nonBlankText(REASON_CHARS));
    JsonField<OnClose> onClose = in.optional("on_close", ValueReaders.enumWord(OnClose.values()));
    JsonField<Duration> takes = in.optional("required_time_seconds", ValueReaders.seconds(MAX_REQUIRED_TIME));
    if (force.orElse(false)) {
      if (!reason.isPresent()) {
        in.addError("/reason", "is missing; expected why the windows of the device are ignored");
      }
      if (wait.orElse(false)) {
        in.addError("/wait_for_window", "cannot be together with ignore_windows; expected one of them");
      }
    } else if (reason.isPresent()) {
      in.addError("/reason", "is for ignore_windows; expected it only there");
    }
    if (onClose.orElse(OnClose.FINISH) == OnClose.ROLL_BACK && reach.orElse(RollbackScope.DEVICE) == RollbackScope.NONE) {
      in.addError("/on_close", "roll-back has nothing to roll back with the rollback_scope none");
    }
    return new WindowRequest(
        wait.orElse(false),
        force.orElse(false),
        reason.orElse(""),
        onClose.orElse(OnClose.FINISH),
        takes.orElse(WindowRule.DEFAULTS.requiredTime()));
  }

  /// For the audit; empty if there is nothing to be said.
  String auditText() {
    return ignoreWindows ? ", windows ignored: " + reason : waitForWindow ? ", in its window" : "";
  }
}
