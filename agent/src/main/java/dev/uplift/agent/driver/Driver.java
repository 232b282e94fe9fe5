package dev.uplift.agent.driver;

import dev.uplift.protocol.CommandResult;
import java.util.Optional;

/// One package of one host, by one kind. Each verb is safe to repeat: the second time finds the work done and says so.
/// Its answers come from the disk or the service, never from the command.
///
/// A failure that can be planned for is a [CommandResult.Failed] with code, class and text; a verb throws only when
/// there is a bug. The core calls one verb at a time, and [#inspect()] at any time, beside a verb too. A verb may be
/// killed with the agent at any moment and be asked again by another process; only what it has forced to the disk is
/// known then.
///
/// An interrupt of the calling thread means that the agent is ending: the verb returns soon, with a retryable failure.
/// Processes in a session of their own continue, and are found again.
public interface Driver {

  /// Measures the package. May run a command of the operator and so take seconds. If it cannot be measured it is
  /// [PackageState#UNKNOWN]: never throws, never waits without limit.
  PackageState inspect();

  /// Afterwards the release is on the host, verified, and every check before the upgrade has passed. What runs on the
  /// host is untouched, and cannot be broken by this. Breaks off soon after [Job#isCancelled()].
  CommandResult prepare(Job job);

  /// Afterwards the host runs the release, or will after the reboot that the result asks for. Uses what `prepare` left
  /// and fetches nothing; without it: `not-prepared`. Heeds [Job#isCancelled()] only while nothing is changed. Does not
  /// roll back a failure.
  CommandResult upgrade(Job job);

  /// Ends the trial: from now on the host does not roll back by itself. `done` if there is no trial.
  CommandResult commit(Job job);

  /// Afterwards the host runs [dev.uplift.protocol.Command#version()], the version from before. On a host that never
  /// left it, drops what was staged. Fetches nothing.
  CommandResult rollback(Job job);

  /// Afterwards what the package runs has halted, as far as it can: it touches nothing that others migrate. Changes no
  /// version.
  default CommandResult halt(HaltRequest request) {
    return new CommandResult.Done();
  }

  /// Afterwards what the package runs works again. `done` if it was not halted.
  default CommandResult resume(HaltRequest request) {
    return new CommandResult.Done();
  }

  /// The package's own way to reboot the host. If it is empty, the agent's reboot command reboots it.
  default Optional<PackageReboot> ownReboot() {
    return Optional.empty();
  }
}
