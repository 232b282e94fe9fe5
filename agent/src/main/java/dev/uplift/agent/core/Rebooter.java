package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.INFO;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.time.Duration;

/// Reboots the host for a command, at most once. Whether it has happened is what the boot ids say
/// and nothing else, so a boot that nobody ordered counts too.
final class Rebooter {
  private static final System.Logger LOG = System.getLogger(Rebooter.class.getName());
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final String bootId;
  private final Ops ops;
  private final Measurements measurements;
  private final Surroundings surroundings;
  private final Farewell farewell;

  /// What is to be said before the host goes down, and if it does not after all.
  interface Farewell {
    void accepted(Command command, Duration within) throws InterruptedException;

    void goesDown();

    void stays();
  }

  Rebooter(
      String bootId,
      Ops ops,
      Measurements measurements,
      Surroundings surroundings,
      Farewell farewell) {
    this.bootId = bootId;
    this.ops = ops;
    this.measurements = measurements;
    this.surroundings = surroundings;
    this.farewell = farewell;
  }

  /// The precondition of other commands.
  void checkBoot(Command command) throws StepFailed {
    String expected = command.expect().bootId();
    if (!expected.isEmpty() && !expected.equals(bootId)) {
      throw StepFailed.fatal(
          "precondition-failed", "boot_id: expected %s, found %s".formatted(expected, bootId));
    }
  }

  /// Whether the host has been rebooted since the order for it was written down.
  boolean hasHappened(Op op) {
    return !op.rebootFrom().isEmpty() && !op.rebootFrom().equals(bootId);
  }

  /// Returns after the reboot, in another process, or when it cannot be.
  Result reboot(Assignment assignment) throws StepFailed, IOException, InterruptedException {
    Command command = assignment.command();
    if (!command.expect().bootId().equals(bootId)) {
      return new Result.Done();
    }
    boolean isOrdered =
        ops.find(command.id()).map(Op::rebootFrom).filter(bootId::equals).isPresent();
    if (!isOrdered) {
      if (assignment.isCancelled()) {
        return new Result.Cancelled();
      }
      order(assignment);
    }
    farewell.goesDown();
    try {
      // The end of this process ends the wait, or there is no end.
      Thread.sleep(surroundings.tempo().goesDown());
    } finally {
      farewell.stays();
    }
    throw StepFailed.retryable(
        "still-up",
        "the reboot was ordered, but the host is still up after "
            + surroundings.tempo().goesDown().toSeconds()
            + " s");
  }

  private void order(Assignment assignment) throws StepFailed, IOException, InterruptedException {
    Command command = assignment.command();
    String expected = command.expect().version();
    if (!expected.isEmpty()) {
      String found = measurements.now(command.packageName()).version();
      if (!expected.equals(found)) {
        throw StepFailed.fatal(
            "precondition-failed", "version: expected %s, found %s".formatted(expected, found));
      }
    }
    ops.begin(command.id(), assignment.text(), command.epoch());
    farewell.accepted(command, LAST_WORDS);
    if (assignment.isCancelled()) {
      throw StepFailed.cancelled();
    }
    ops.reboot(command.id(), bootId);
    farewell.goesDown();
    LOG.log(INFO, "reboots the host for command {0}", command.id());
    int code = surroundings.reboot().order(line -> assignment.log().add(line));
    if (code != 0) {
      farewell.stays();
      throw StepFailed.needsPerson(
          "reboot-failed", "the reboot command ended with " + code + ", the host is up");
    }
  }
}
