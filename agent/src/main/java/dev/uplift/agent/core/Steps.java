package dev.uplift.agent.core;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.link.Backoff;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/// Carries out a command that has passed the gate.
final class Steps {
  private final SortedMap<String, HostPackage> packages;
  private final Ops ops;
  private final Releases releases;
  private final Rebooter rebooter;
  private final Measurements measurements;
  private final ServerClock clock;
  private final Surroundings surroundings;
  private final Voice voice;
  private final Consumer<Event> say;

  /// The parts that steps are made of.
  record Parts(
      SortedMap<String, HostPackage> packages,
      Ops ops,
      Releases releases,
      Rebooter rebooter,
      Measurements measurements,
      ServerClock clock,
      Surroundings surroundings,
      Voice voice,
      Consumer<Event> say) {}

  Steps(Parts parts) {
    packages = parts.packages;
    ops = parts.ops;
    releases = parts.releases;
    rebooter = parts.rebooter;
    measurements = parts.measurements;
    clock = parts.clock;
    surroundings = parts.surroundings;
    voice = parts.voice;
    say = parts.say;
  }

  /// How it ended; nothing that counts where the thread is interrupted.
  Result carryOut(Assignment assignment) throws InterruptedException {
    try {
      return switch (assignment.command().action()) {
        case PREPARE, UPGRADE, COMMIT, ROLLBACK -> byDriver(assignment);
        case REBOOT -> rebooter.reboot(assignment);
        case STOP -> throw StepFailed.fatal("not-supported", "this agent hands over to no other");
        case INSPECT, CANCEL -> throw new IllegalStateException("no work for the worker");
      };
    } catch (StepFailed e) {
      return e.result();
    } catch (IOException e) {
      // What cannot be remembered must not be begun.
      return new Result.Failed("state-not-kept", ErrorClass.NEEDS_PERSON, e.toString());
    }
  }

  private Result byDriver(Assignment assignment)
      throws StepFailed, IOException, InterruptedException {
    Command command = assignment.command();
    ReleaseManifest release = releases.of(command);
    boolean isBegun = ops.find(command.id()).isPresent();
    if (!isBegun) {
      checkHost(command, release);
    }
    ops.begin(command.id(), assignment.text(), command.epoch());
    say.accept(voice.accepted(command));
    Job job =
        new Task(
            assignment,
            release,
            surroundings.artifacts(),
            text -> say.accept(voice.progress(command, text)));
    Result result = retried(assignment, job);
    count(command, release, result);
    return result;
  }

  /// What must hold before anything is touched. Of what is begun, it may hold no more.
  private void checkHost(Command command, ReleaseManifest release)
      throws StepFailed, InterruptedException {
    Found found = measurements.now(command.packageName());
    boolean isThere = found.version().equals(command.version());
    String expected = command.expect().version();
    if (!expected.isEmpty() && !expected.equals(found.version()) && !isThere) {
      throw StepFailed.fatal(
          "precondition-failed",
          "version: expected %s, found %s".formatted(expected, found.version()));
    }
    rebooter.checkBoot(command);
    boolean brings = command.action() == Action.PREPARE || command.action() == Action.UPGRADE;
    if (brings && !isThere && !release.mayBeInstalledOver(found.version())) {
      throw StepFailed.fatal(
          "wrong-base",
          "%s may not be installed over %s".formatted(release.version(), found.version()));
    }
  }

  private Result retried(Assignment assignment, Job job) throws InterruptedException {
    Driver driver = Objects.requireNonNull(packages.get(job.command().packageName())).driver();
    Tempo tempo = surroundings.tempo();
    var pauses = new Backoff(tempo.retry(), tempo.retryAtMost());
    while (true) {
      Result result = act(driver, job);
      if (Thread.currentThread().isInterrupted()
          || !(result instanceof Result.Failed failed)
          || failed.errorClass() != ErrorClass.RETRYABLE) {
        return result;
      }
      Duration pause = pauses.next();
      if (isTooLate(job.command(), pause)) {
        return result;
      }
      job.log(
          "%s: %s; tried again in %d s".formatted(failed.code(), failed.text(), pause.toSeconds()));
      if (!assignment.pause(pause)) {
        return assignment.isCancelled() && job.command().action() == Action.PREPARE
            ? new Result.Cancelled()
            : result;
      }
    }
  }

  private boolean isTooLate(Command command, Duration pause) {
    Optional<Instant> now = clock.carriedOn();
    return now.isPresent() && now.get().plus(pause).isAfter(command.notAfter());
  }

  private static Result act(Driver driver, Job job) {
    return switch (job.command().action()) {
      case PREPARE -> driver.prepare(job);
      case UPGRADE -> driver.upgrade(job);
      case COMMIT -> driver.commit(job);
      case ROLLBACK -> driver.rollback(job);
      case REBOOT, STOP, INSPECT, CANCEL ->
          throw new IllegalStateException("no verb of a driver: " + job.command().action());
    };
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
