package dev.uplift.agent.command;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.report.EventFactory;
import dev.uplift.agent.report.ServerClock;
import dev.uplift.agent.transport.Backoff;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.WireErrorClass;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Has a driver do a step, again and again while it may still succeed: until the command's time is
/// over, it is cancelled, or another command waits.
final class RetryingStep {
  private final HostEnvironment environment;
  private final ServerClock clock;
  private final EventFactory eventFactory;

  RetryingStep(HostEnvironment environment, ServerClock clock, EventFactory eventFactory) {
    this.environment = environment;
    this.clock = clock;
    this.eventFactory = eventFactory;
  }

  CommandResult run(CommandJob commandJob, ReleaseManifest release, Driver driver)
      throws InterruptedException {
    Command command = commandJob.command();
    Job job =
        new DriverJob(
            commandJob,
            release,
            environment.artifacts(),
            text -> eventFactory.publishProgress(command, text));
    AgentIntervals intervals = environment.intervals();
    var pauses = new Backoff(intervals.firstRetry(), intervals.maxRetry());
    while (true) {
      CommandResult commandResult = callDriver(driver, job);
      if (Thread.currentThread().isInterrupted()
          || !(commandResult instanceof CommandResult.Failed failed)
          || failed.errorClass() != WireErrorClass.RETRYABLE) {
        return commandResult;
      }
      Duration pause = pauses.next();
      if (isTooLate(command, pause)) {
        return commandResult;
      }
      job.log(
          "%s: %s; once more in %d ms".formatted(failed.code(), failed.text(), pause.toMillis()));
      if (!commandJob.awaitRetry(pause)) {
        return isUnchanged(commandJob) ? new CommandResult.Cancelled() : commandResult;
      }
    }
  }

  private static boolean isUnchanged(CommandJob commandJob) {
    return commandJob.isCancelled() && commandJob.command().action() == CommandAction.PREPARE;
  }

  private boolean isTooLate(Command command, Duration pause) {
    Optional<Instant> now = clock.estimated();
    return now.isPresent() && now.get().plus(pause).isAfter(command.notAfter());
  }

  private static CommandResult callDriver(Driver driver, Job job) {
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
