package dev.uplift.agent.driver.worker;

import dev.uplift.agent.driver.PackageReboot;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.process.ExitStatus.Exited;
import dev.uplift.agent.driver.process.ExitStatus.TimedOut;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import java.time.Duration;
import java.util.function.Consumer;

/// Has the worker reboot the host: it gets the message `reboot` twice, before the boot, when it is to start the reboot
/// and not to reply, and after it, when it replies.
final class WorkerReboot implements PackageReboot {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final int MAX_EXIT_CODE = 127;

  private final WorkerRun workerRun;

  WorkerReboot(WorkerRun workerRun) {
    this.workerRun = workerRun;
  }

  @Override
  public CommandResult start(Command command, Consumer<String> log) {
    return workerRun.resultOf(() -> {
      WorkerReply reply = workerRun.deliverReboot(command, false, TIMEOUT, log);
      if (reply.result().isPresent() && !reply.isDone()) {
        throw StepFailed.needsPerson("reboot-failed", reply.errorText());
      }
      if (isFailure(reply)) {
        throw StepFailed.needsPerson(
            "reboot-failed", "`worker` " + reply.exitStatus().text() + " when it was to reboot, the host is up");
      }
      if (reply.isDone()) {
        log.accept("the worker says that the host has rebooted, which it has not yet");
      }
      return new CommandResult.Done();
    });
  }

  /// A worker that is ended by a signal may have been ended by the reboot.
  private static boolean isFailure(WorkerReply reply) {
    return reply.result().isEmpty()
        && (reply.exitStatus() instanceof TimedOut
            || (reply.exitStatus() instanceof Exited(int code) && code > 0 && code <= MAX_EXIT_CODE));
  }

  @Override
  public CommandResult confirm(Command command, Consumer<String> log) {
    return workerRun.resultOf(
        () -> workerRun.deliverReboot(command, true, TIMEOUT, log).toCommandResult(WorkerMessages.REBOOT));
  }
}
