package dev.uplift.api.upgrades;

import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.rollout.WindowRule;
import dev.uplift.fleet.rollout.WindowRule.OnClose;
import java.time.Duration;

/// What somebody wants of the windows of a device that is to be upgraded.
///
/// @param waits whether it waits for one rather than being refused
/// @param force whether they are ignored, for the reason
/// @param onClose what becomes of the device if its window closes while it is in work
/// @param takes how much of a window has to be left when it starts
record WindowWish(boolean waits, boolean force, String reason, OnClose onClose, Duration takes) {
  private static final int REASON_CHARS = 500;
  private static final Duration LONGEST = Duration.ofDays(1);

  static WindowWish read(Body in, Field<Reach> reach) {
    Field<Boolean> wait = in.optional("wait", Shapes.FLAG);
    Field<Boolean> force = in.optional("force", Shapes.FLAG);
    Field<String> reason = in.optional("reason", Shapes.words(REASON_CHARS));
    Field<OnClose> onClose = in.optional("on_close", Shapes.word(OnClose.values()));
    Field<Duration> takes = in.optional("takes_s", Shapes.seconds(LONGEST));
    if (force.or(false)) {
      if (!reason.isThere()) {
        in.wrong("/reason", "is missing; expected why the windows of the device are ignored");
      }
      if (wait.or(false)) {
        in.wrong("/wait", "cannot be together with force; expected one of them");
      }
    } else if (reason.isThere()) {
      in.wrong("/reason", "is for force; expected it only there");
    }
    if (onClose.or(OnClose.FINISH) == OnClose.ROLL_BACK && reach.or(Reach.DEVICE) == Reach.NONE) {
      in.wrong("/on_close", "roll-back has nothing to take back with the reach none");
    }
    return new WindowWish(
        wait.or(false),
        force.or(false),
        reason.or(""),
        onClose.or(OnClose.FINISH),
        takes.or(WindowRule.USUAL.takes()));
  }

  /// For the audit; empty if there is nothing to be said.
  String inWords() {
    return force ? ", windows ignored: " + reason : waits ? ", in its window" : "";
  }
}
