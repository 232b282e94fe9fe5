package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/// Sees to it that what was read becomes what it may become. Never waits for the worker.
final class Desk {
  private static final System.Logger LOG = System.getLogger(Desk.class.getName());

  private final Gate gate;
  private final Ops ops;
  private final Answers answers;
  private final Outbox outbox;
  private final Worker worker;
  private final Refusals refusals;
  private final Set<String> packages;

  /// The parts that a desk works with.
  record Parts(
      Gate gate,
      Ops ops,
      Answers answers,
      Outbox outbox,
      Worker worker,
      Refusals refusals,
      Set<String> packages) {}

  Desk(Parts parts) {
    gate = parts.gate;
    ops = parts.ops;
    answers = parts.answers;
    outbox = parts.outbox;
    worker = parts.worker;
    refusals = parts.refusals;
    packages = parts.packages;
  }

  /// Whether it was something new.
  ///
  /// @param sendsAgain whether a stored answer is to be sent again
  boolean take(Letter letter, boolean sendsAgain) throws InterruptedException {
    return switch (gate.judge(letter)) {
      case Verdict.Refused(String why) -> {
        refusals.note(letter.sequence(), why);
        yield false;
      }
      case Verdict.Answered(Op op) -> again(op, sendsAgain);
      case Verdict.InWork() -> false;
      case Verdict.Elsewhere() -> false;
      case Verdict.Settled(Command command, long epoch, Result result) -> {
        answers.answer(command.id(), command, epoch, new Event.Outcome(result, ""));
        yield true;
      }
      case Verdict.Due(Command command, String text) -> due(command, text, sendsAgain);
    };
  }

  private boolean again(Op op, boolean sendsAgain) {
    if (sendsAgain) {
      outbox.repeat(op);
    }
    return false;
  }

  private boolean due(Command command, String text, boolean sendsAgain)
      throws InterruptedException {
    return switch (command.action()) {
      case INSPECT -> {
        inspect(command);
        yield true;
      }
      case CANCEL -> cancel(command, sendsAgain);
      case PREPARE, UPGRADE, REBOOT, COMMIT, ROLLBACK, STOP ->
          worker.offer(new Assignment(command, text, false));
    };
  }

  /// Beside the worker. The same question read twice has one answer.
  private void inspect(Command command) throws InterruptedException {
    Result result =
        packages.contains(command.packageName())
            ? new Result.Done()
            : new Result.Failed(
                "unknown-package",
                ErrorClass.FINAL,
                "this host has no package " + command.packageName());
    answers.answer(command, result, "");
  }

  /// The answer is the first command's: that nothing has changed, or how it really ended.
  private boolean cancel(Command cancel, boolean sendsAgain) throws InterruptedException {
    see(cancel);
    String first = cancel.cancels();
    if (worker.cancel(first)) {
      return true;
    }
    Optional<Op> op = ops.find(first);
    if (op.isEmpty()) {
      // Never seen. Settled now, it will not be done when it comes after all.
      answers.answer(first, cancel, cancel.epoch(), new Event.Outcome(new Result.Cancelled(), ""));
      return true;
    }
    if (op.get().isAnswered()) {
      return again(op.get(), sendsAgain);
    }
    // Begun by an agent that was killed: how far it came, only the driver can find out.
    return worker.offer(Assignment.cancelled(op.get()));
  }

  private void see(Command command) {
    try {
      ops.see(command.epoch());
    } catch (IOException e) {
      LOG.log(WARNING, "epoch {0} cannot be kept: {1}", command.epoch(), e.toString());
    }
  }
}
