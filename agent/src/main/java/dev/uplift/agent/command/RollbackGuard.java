package dev.uplift.agent.command;

import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import java.io.IOException;

/// How far a `rollback` may go: where the last upgrade set out from, and no further. A host may
/// have many versions lying about, and the server's key alone must not bring back the oldest of
/// them.
final class RollbackGuard {
  private final CommandJournal journal;

  RollbackGuard(CommandJournal journal) {
    this.journal = journal;
  }

  /// Before the host is touched for a command.
  ///
  /// @throws StepFailed `downgrade` where it goes back too far
  void check(Command command, PackageState packageState) throws StepFailed, IOException {
    String packageName = command.packageName();
    boolean isThere = packageState.version().equals(command.version());
    if (command.action() == CommandAction.UPGRADE && !isThere) {
      boolean isKnown = !packageState.version().equals(PackageState.UNKNOWN);
      journal.recordUpgradeFrom(packageName, isKnown ? packageState.version() : "");
    }
    if (command.action() == CommandAction.ROLLBACK && !isThere) {
      String from = journal.upgradedFrom(packageName);
      // Which one it was before, the driver may know where the server does not.
      boolean isOneStep =
          from.isEmpty()
              || from.equals(command.version())
              || command.version().equals(PackageState.UNKNOWN);
      if (!isOneStep) {
        throw StepFailed.fatal(
            "downgrade",
            "a roll back goes to %s, from where the last upgrade set out, and not to %s"
                .formatted(from, command.version()));
      }
    }
  }
}
