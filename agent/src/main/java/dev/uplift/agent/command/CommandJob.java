package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.transport.WakeSignal;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Order.StepOrder;
import java.time.Duration;

/// A command being executed, its log, and its possible interruptions.
final class CommandJob {
  private final Command command;
  private final StepOrder order;
  private final String text;
  private final StringBuilder log = new StringBuilder();
  private final WakeSignal interruption = new WakeSignal();
  private volatile boolean isCancelled;
  private volatile boolean otherWaiting;

  /// @param order the command's
  /// @param text the command's exact text
  CommandJob(Command command, StepOrder order, String text) {
    this.command = command;
    this.order = order;
    this.text = text;
  }

  /// A command that was begun.
  static CommandJob begun(CommandRecord commandRecord) {
    String text = commandRecord.command();
    Command command = Command.read(text.getBytes(UTF_8));
    if (!(command.order() instanceof StepOrder order)) {
      throw new IllegalStateException("begun, but no step: " + command.action());
    }
    return new CommandJob(command, order, text);
  }

  /// A command that was begun, and is only followed up as far as it has come.
  static CommandJob cancelled(CommandRecord commandRecord) {
    CommandJob commandJob = begun(commandRecord);
    commandJob.cancel();
    return commandJob;
  }

  Command command() {
    return command;
  }

  StepOrder order() {
    return order;
  }

  String text() {
    return text;
  }

  void log(String line) {
    synchronized (log) {
      log.append(line).append('\n');
      if (log.length() > 2 * Event.MAX_LOG_BYTES) {
        log.delete(0, log.length() - Event.MAX_LOG_BYTES);
      }
    }
  }

  /// The end of the log.
  String logTail() {
    synchronized (log) {
      return log.toString();
    }
  }

  boolean isCancelled() {
    return isCancelled;
  }

  void cancel() {
    isCancelled = true;
    interruption.signal();
  }

  boolean isOtherWaiting() {
    return otherWaiting;
  }

  /// Another command has come. It interrupts nothing, but nothing is retried while it waits.
  void otherWaiting() {
    otherWaiting = true;
    interruption.signal();
  }

  /// Waits before a retry. False if there is to be none: the command is cancelled, or another one waits.
  boolean awaitRetry(Duration pause) throws InterruptedException {
    var _ = !isInterrupted() && interruption.await(pause);
    return !isInterrupted();
  }

  private boolean isInterrupted() {
    return isCancelled || otherWaiting;
  }
}
