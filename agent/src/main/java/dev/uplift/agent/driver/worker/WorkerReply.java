package dev.uplift.agent.driver.worker;

import dev.uplift.agent.driver.process.ExitStatus;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import java.util.Optional;

/// The reply of the worker to a message, if any, and how it ended.
record WorkerReply(Optional<String> result, ExitStatus exitStatus) {
  boolean isDone() {
    return result.filter("done"::equals).isPresent();
  }

  boolean isRebootRequired() {
    return result.filter("reboot-required"::equals).isPresent();
  }

  /// Returns whether the worker was killed before it replied, so that it may be asked again.
  boolean isInterrupted() {
    return result.isEmpty() && exitStatus instanceof ExitStatus.KilledExternally;
  }

  /// Every result that is not known is the text of an error.
  String errorText() {
    return result.filter(text -> !text.isBlank()).orElse("the worker's result is empty");
  }

  /// The answer to a message that nothing but `done` fulfils.
  CommandResult toCommandResult(String action) {
    if (isDone()) {
      return new CommandResult.Done();
    }
    return result.isPresent()
        ? new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, errorText())
        : withoutReply(action);
  }

  private CommandResult withoutReply(String action) {
    String text = "`worker` %s without a reply to `%s`".formatted(exitStatus.text(), action);
    return switch (exitStatus) {
      case ExitStatus.Cancelled() -> new CommandResult.Cancelled();
      case ExitStatus.TimedOut() -> new CommandResult.Failed("worker-timeout", WireErrorClass.FINAL, text);
      case ExitStatus.KilledExternally() ->
          new CommandResult.Failed("worker-interrupted", WireErrorClass.RETRYABLE, text);
      case ExitStatus.Exited _ -> new CommandResult.Failed("no-reply", WireErrorClass.FINAL, text);
    };
  }
}
