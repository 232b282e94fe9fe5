package dev.uplift.agent.driver;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import java.util.function.Consumer;

/// A package that reboots the host by itself, and says after the boot whether that has succeeded.
///
/// An interrupt of the calling thread means that the agent is ending, as in a [Driver].
public interface PackageReboot {

  /// Sets the reboot going; the host may go down before this returns. Called at most once for a command.
  ///
  /// @return `done` if the reboot is under way, else why it is not
  CommandResult start(Command command, Consumer<String> log);

  /// Asks for the result after the boot. May be called again if the agent was killed meanwhile.
  CommandResult confirm(Command command, Consumer<String> log);
}
