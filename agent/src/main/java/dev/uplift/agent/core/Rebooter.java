package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.INFO;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.util.function.Consumer;

/// Reboots the host for a command, at most once. Whether it has happened is what the boot ids say
/// and nothing else, so a boot that nobody ordered counts too.
final class Rebooter {
  private static final System.Logger LOG = System.getLogger(Rebooter.class.getName());

  private final String bootId;
  private final Ops ops;
  private final Preconditions preconditions;
  private final Surroundings surroundings;
  private final Consumer<State> becomes;

  /// @param becomes is told while the host goes down
  Rebooter(
      String bootId,
      Ops ops,
      Preconditions preconditions,
      Surroundings surroundings,
      Consumer<State> becomes) {
    this.bootId = bootId;
    this.ops = ops;
    this.preconditions = preconditions;
    this.surroundings = surroundings;
    this.becomes = becomes;
  }

  /// Whether the host has been rebooted since the order for it was written down.
  boolean hasHappened(Op op) {
    return !op.rebootFrom().isEmpty() && !op.rebootFrom().equals(bootId);
  }

  /// Returns after the reboot, in another process, or when it cannot be.
  Result reboot(Assignment assignment, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    Command command = assignment.command();
    if (!command.expect().bootId().equals(bootId)) {
      return new Result.Done();
    }
    if (!isOrdered(command)) {
      if (assignment.isCancelled()) {
        return new Result.Cancelled();
      }
      preconditions.checkVersion(command);
      ops.begin(command.id(), assignment.text(), command.epoch());
      accepted.run();
    }
    try {
      return order(assignment);
    } finally {
      becomes.accept(State.RUNNING);
    }
  }

  private boolean isOrdered(Command command) {
    return ops.find(command.id()).map(Op::rebootFrom).filter(bootId::equals).isPresent();
  }

  private Result order(Assignment assignment) throws StepFailed, IOException, InterruptedException {
    Command command = assignment.command();
    if (!isOrdered(command)) {
      if (assignment.isCancelled()) {
        return new Result.Cancelled();
      }
      ops.reboot(command.id(), bootId);
      becomes.accept(State.STOPPING);
      LOG.log(INFO, "reboots the host for command {0}", command.id());
      int code = surroundings.reboot().order(line -> assignment.log().add(line));
      if (code != 0) {
        throw StepFailed.needsPerson(
            "reboot-failed", "the reboot command ended with " + code + ", the host is up");
      }
    }
    becomes.accept(State.STOPPING);
    // The end of this process ends the wait, or there is no end.
    Thread.sleep(surroundings.tempo().goesDown());
    throw StepFailed.retryable(
        "still-up",
        "the reboot was ordered, but the host is still up after "
            + surroundings.tempo().goesDown().toSeconds()
            + " s");
  }
}
