package dev.uplift.agent.core;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
import java.io.IOException;

/// Carries out a command that has passed the gate.
final class Steps {
  private final Ops ops;
  private final Releases releases;
  private final Preconditions preconditions;
  private final Departures departures;
  private final Attempts attempts;
  private final WayBack wayBack;

  Steps(
      Ops ops,
      Releases releases,
      Preconditions preconditions,
      Departures departures,
      Attempts attempts) {
    this.ops = ops;
    this.releases = releases;
    this.preconditions = preconditions;
    this.departures = departures;
    this.attempts = attempts;
    this.wayBack = new WayBack(ops);
  }

  /// How it ended; nothing that counts where the thread is interrupted.
  ///
  /// @param accepted is told once the command has passed all checks
  Result carryOut(Assignment assignment, Runnable accepted) throws InterruptedException {
    try {
      return switch (assignment.command().action()) {
        case PREPARE, UPGRADE, COMMIT, ROLLBACK -> byDriver(assignment, accepted);
        case REBOOT -> departures.reboot(assignment, accepted);
        case STOP -> departures.stop(assignment, accepted);
        case INSPECT, CANCEL -> throw new IllegalStateException("no work for the worker");
      };
    } catch (StepFailed e) {
      return e.result();
    } catch (IOException e) {
      // What cannot be remembered must not be begun.
      return new Result.Failed("state-not-kept", ErrorClass.NEEDS_PERSON, e.toString());
    }
  }

  /// What is still to be done once the answer is given.
  void afterAnswer(Command command, Result result) throws InterruptedException {
    departures.afterAnswer(command, result);
  }

  private Result byDriver(Assignment assignment, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    Command command = assignment.command();
    Releases.Known known = releases.of(command);
    departures.unlessLeaving(command, known.release());
    boolean isBegun = ops.find(command.id()).isPresent();
    if (!isBegun) {
      wayBack.check(command, preconditions.check(command, known.release()));
    }
    ops.begin(command.id(), assignment.text(), command.epoch());
    accepted.run();
    Result result = attempts.make(assignment, known.release(), known.driver());
    count(command, known.release(), result);
    return result;
  }

  private void count(Command command, ReleaseManifest release, Result result) throws IOException {
    if (result instanceof Result.Failed || result instanceof Result.Cancelled) {
      return;
    }
    switch (command.action()) {
      case UPGRADE -> ops.brought(release.packageName(), release.sequence());
      case ROLLBACK -> ops.takenBack(release.packageName(), release.sequence());
      case PREPARE, COMMIT, REBOOT, STOP, INSPECT, CANCEL -> {}
    }
  }
}
