package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.util.Optional;

/// Sees to it that what was read becomes what it may become. Never waits for the worker.
final class Desk {
  private static final System.Logger LOG = System.getLogger(Desk.class.getName());

  private final Gate gate;
  private final Ops ops;
  private final Answers answers;
  private final Worker worker;
  private final Refusals refusals;

  Desk(Gate gate, Ops ops, Answers answers, Worker worker, Refusals refusals) {
    this.gate = gate;
    this.ops = ops;
    this.answers = answers;
    this.worker = worker;
    this.refusals = refusals;
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
      answers.repeat(op);
    }
    return false;
  }

  private boolean due(Command command, String text, boolean sendsAgain)
      throws InterruptedException {
    return switch (command.action()) {
      case INSPECT -> {
        answers.inspect(command);
        yield true;
      }
      case CANCEL -> cancel(command, sendsAgain);
      case PREPARE, UPGRADE, REBOOT, COMMIT, ROLLBACK, STOP ->
          worker.offer(new Assignment(command, text, false));
    };
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
