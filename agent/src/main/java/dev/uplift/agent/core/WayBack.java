package dev.uplift.agent.core;

import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import java.io.IOException;

/// How far a `rollback` may go: where the last upgrade set out from, and no further. A host may
/// have many versions lying about, and the server's key alone must not bring back the oldest of
/// them.
final class WayBack {
  private final Ops ops;

  WayBack(Ops ops) {
    this.ops = ops;
  }

  /// Before the host is touched for a command.
  ///
  /// @throws StepFailed `downgrade` where it goes back too far
  void check(Command command, Found found) throws StepFailed, IOException {
    String packageName = command.packageName();
    boolean isThere = found.version().equals(command.version());
    if (command.action() == Action.UPGRADE && !isThere) {
      boolean isKnown = !found.version().equals(Found.UNKNOWN);
      ops.leaves(packageName, isKnown ? found.version() : "");
    }
    if (command.action() == Action.ROLLBACK && !isThere) {
      String from = ops.from(packageName);
      // Which one it was before, the driver may know where the server does not.
      boolean isOneStep =
          from.isEmpty()
              || from.equals(command.version())
              || command.version().equals(Found.UNKNOWN);
      if (!isOneStep) {
        throw StepFailed.fatal(
            "downgrade",
            "a roll back goes to %s, from where the last upgrade set out, and not to %s"
                .formatted(from, command.version()));
      }
    }
  }
}
