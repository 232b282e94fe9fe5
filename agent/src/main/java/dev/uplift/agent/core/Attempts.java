package dev.uplift.agent.core;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.link.Backoff;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Has a driver do a step, again and again while it may still succeed: until the command's time is
/// over, it is cancelled, or another command waits.
final class Attempts {
  private final Surroundings surroundings;
  private final ServerClock clock;
  private final Voice voice;

  Attempts(Surroundings surroundings, ServerClock clock, Voice voice) {
    this.surroundings = surroundings;
    this.clock = clock;
    this.voice = voice;
  }

  Result make(Assignment assignment, ReleaseManifest release, Driver driver)
      throws InterruptedException {
    Command command = assignment.command();
    Job job =
        new Task(
            assignment,
            release,
            surroundings.artifacts(),
            text -> voice.sayProgress(command, text));
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
      if (isTooLate(command, pause)) {
        return result;
      }
      job.log(
          "%s: %s; once more in %d ms".formatted(failed.code(), failed.text(), pause.toMillis()));
      if (!assignment.pause(pause)) {
        return nothingHasChanged(assignment) ? new Result.Cancelled() : result;
      }
    }
  }

  private static boolean nothingHasChanged(Assignment assignment) {
    return assignment.isCancelled() && assignment.command().action() == Action.PREPARE;
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
}
