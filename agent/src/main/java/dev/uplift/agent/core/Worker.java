package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.ERROR;

import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Carries out one command at a time. What comes meanwhile stays in the slot; when the worker is
/// free again, `freed` is told.
final class Worker {
  private static final System.Logger LOG = System.getLogger(Worker.class.getName());

  private final Ops ops;
  private final Steps steps;
  private final Voice voice;
  private final Answers answers;
  private final Runnable freed;
  private @Nullable Assignment current;

  Worker(Ops ops, Steps steps, Voice voice, Answers answers, Runnable freed) {
    this.ops = ops;
    this.steps = steps;
    this.voice = voice;
    this.answers = answers;
    this.freed = freed;
  }

  /// Whether work on it begins. If not, it is to be offered again when the worker is free.
  synchronized boolean offer(Assignment assignment) {
    Assignment busyWith = current;
    if (busyWith == null) {
      current = assignment;
      notifyAll();
      return true;
    }
    if (!busyWith.command().id().equals(assignment.command().id())) {
      busyWith.othersWait();
    }
    return false;
  }

  synchronized boolean isAt(String commandId) {
    return current != null && current.command().id().equals(commandId);
  }

  /// Whether this is what is in work; it is told to stop if it can.
  synchronized boolean cancel(String commandId) {
    Assignment busyWith = current;
    if (busyWith == null || !busyWith.command().id().equals(commandId)) {
      return false;
    }
    busyWith.cancel();
    return true;
  }

  /// Ends with an interrupt, which leaves what is in work to the next agent.
  void run() {
    try {
      while (true) {
        Assignment assignment = next();
        work(assignment);
        done(assignment);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Assignment next() throws InterruptedException {
    while (current == null) {
      wait();
    }
    return current;
  }

  private void work(Assignment assignment) throws InterruptedException {
    Optional<Op> known = ops.find(assignment.command().id());
    if (known.filter(Op::isAnswered).isPresent()) {
      // Between the check and now.
      return;
    }
    Result result;
    try {
      result = steps.carryOut(assignment, () -> voice.sayAccepted(assignment.command()));
    } catch (RuntimeException e) {
      LOG.log(ERROR, "a mistake of ours while at " + assignment.command().id(), e);
      assignment.log().add(e.toString());
      result = new Result.Failed("agent-error", ErrorClass.FINAL, e.toString());
    }
    if (Thread.interrupted()) {
      // Broken off, because the agent ends: no answer, for the command has not ended.
      throw new InterruptedException();
    }
    answers.answer(assignment.command(), result, assignment.log().toString());
    steps.afterAnswer(assignment.command(), result);
  }

  private void done(Assignment assignment) {
    synchronized (this) {
      current = null;
    }
    if (assignment.doOthersWait()) {
      freed.run();
    }
  }
}
