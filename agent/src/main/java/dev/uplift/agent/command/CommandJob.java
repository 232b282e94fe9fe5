package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.protocol.Command;
import java.time.Duration;

/// A command in work, and what others say to whoever works on it.
final class CommandJob {
  private final Command command;
  private final String text;
  private final LogTail log = new LogTail();
  private boolean isCancelled;
  private boolean otherWaiting;

  /// @param text the command's exact text
  CommandJob(Command command, String text, boolean isCancelled) {
    this.command = command;
    this.text = text;
    this.isCancelled = isCancelled;
  }

  /// One that was begun, and is only to be looked after as far as it has come.
  static CommandJob cancelled(CommandRecord commandRecord) {
    return new CommandJob(
        Command.read(commandRecord.command().getBytes(UTF_8)), commandRecord.command(), true);
  }

  Command command() {
    return command;
  }

  String text() {
    return text;
  }

  LogTail log() {
    return log;
  }

  synchronized boolean isCancelled() {
    return isCancelled;
  }

  synchronized void cancel() {
    isCancelled = true;
    notifyAll();
  }

  synchronized boolean isOtherWaiting() {
    return otherWaiting;
  }

  /// Another command has come. It disturbs nothing, but nothing is tried once more while it waits.
  synchronized void otherWaiting() {
    otherWaiting = true;
    notifyAll();
  }

  /// Whether it may be tried once more, after a pause.
  synchronized boolean awaitRetry(Duration pause) throws InterruptedException {
    long until = System.nanoTime() + pause.toNanos();
    while (!isCancelled && !otherWaiting) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        return true;
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return false;
  }
}
