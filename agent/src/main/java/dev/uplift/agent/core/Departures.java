package dev.uplift.agent.core;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.Succession;
import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.time.Duration;

/// How this process comes to its end: with its host, or for another agent that takes over.
final class Departures {
  static final String KIND = "agent";

  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final Ops ops;
  private final Rebooter rebooter;
  private final Succession succession;

  Departures(Ops ops, Rebooter rebooter, Succession succession) {
    this.ops = ops;
    this.rebooter = rebooter;
    this.succession = succession;
  }

  /// @throws StepFailed `handing-over` where another agent waits, and this is not about it
  void unlessLeaving(Command command, ReleaseManifest release) throws StepFailed {
    if (succession.isUnderWay() && !release.kind().equals(KIND)) {
      throw StepFailed.retryable(
          "handing-over", command.action().word() + " waits until one agent is left on this host");
    }
  }

  Result reboot(Assignment assignment, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    if (succession.isUnderWay()) {
      throw StepFailed.retryable("handing-over", "the reboot waits until one agent is left");
    }
    return rebooter.reboot(assignment, accepted);
  }

  /// The answer is that of an agent that is about to end; [#afterAnswer] ends it.
  Result stop(Assignment assignment, Runnable accepted) throws StepFailed, IOException {
    Command command = assignment.command();
    if (assignment.isCancelled()) {
      return new Result.Cancelled();
    }
    if (command.instance().isEmpty()) {
      throw StepFailed.fatal("no-instance", "a stop has to name the instance that is to end");
    }
    // Written down first: where this process dies now, the next agent knows that it was to end.
    ops.begin(command.id(), assignment.text(), command.epoch());
    succession.release();
    accepted.run();
    return new Result.Done();
  }

  /// A `stop` that was answered well ends the process, once its answer is said or for a while
  /// cannot be: the next agent says it then.
  void afterAnswer(Command command, Result result) throws InterruptedException {
    if (!(result instanceof Result.Done) || !isStop(command)) {
      return;
    }
    Duration within = command.deadline().isZero() ? LAST_WORDS : command.deadline();
    long until =
        System.nanoTime() + (within.compareTo(LAST_WORDS) < 0 ? within : LAST_WORDS).toNanos();
    while (System.nanoTime() < until && ops.find(command.id()).filter(Op::sent).isEmpty()) {
      Thread.sleep(Duration.ofMillis(20));
    }
    succession.leave();
  }

  static boolean isStop(Command command) {
    return command.action() == dev.uplift.protocol.Action.STOP;
  }
}
