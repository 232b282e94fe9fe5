package dev.uplift.agent.command;

import dev.uplift.agent.command.HostEnvironment.ArtifactSource;
import dev.uplift.agent.download.DownloadControl;
import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.report.EventPublisher;
import dev.uplift.agent.report.ServerClock;
import dev.uplift.agent.transport.Backoff;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Order.ReleaseOrder;
import dev.uplift.protocol.PackageHold;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Executes a command that the validator has accepted.
///
/// A driver's step is retried while it may still succeed: until the command's time is over, it is cancelled, or another
/// command waits.
final class StepExecutor {
  private final CommandJournal journal;
  private final ReleaseVerifier releaseVerifier;
  private final HostPreconditions preconditions;
  private final RebootAndStop rebootAndStop;
  private final HostEnvironment environment;
  private final HaltController halts;
  private final ServerClock clock;
  private final EventPublisher eventPublisher;

  StepExecutor(
      CommandJournal journal,
      ReleaseVerifier releaseVerifier,
      HostPreconditions preconditions,
      RebootAndStop rebootAndStop,
      HostEnvironment environment,
      HaltController halts,
      ServerClock clock,
      EventPublisher eventPublisher) {
    this.journal = journal;
    this.releaseVerifier = releaseVerifier;
    this.preconditions = preconditions;
    this.rebootAndStop = rebootAndStop;
    this.environment = environment;
    this.halts = halts;
    this.clock = clock;
    this.eventPublisher = eventPublisher;
  }

  /// Returns the result; one that does not count if the thread is interrupted.
  CommandResult execute(CommandJob commandJob) throws InterruptedException {
    Runnable accepted = () -> eventPublisher.publishAccepted(commandJob.command());
    try {
      return switch (commandJob.order()) {
        case ReleaseOrder order -> runDriver(commandJob, order, accepted);
        case Order.Reboot reboot -> rebootAndStop.reboot(commandJob, reboot, accepted);
        case Order.Stop _ -> rebootAndStop.stop(commandJob, accepted);
        case Order.BarrierOrder order -> haltOrResume(commandJob, order, accepted);
      };
    } catch (StepFailed e) {
      return e.result();
    } catch (IOException e) {
      // A command that cannot be recorded must not begin.
      return new CommandResult.Failed("state-not-saved", WireErrorClass.NEEDS_PERSON, e.toString());
    }
  }

  private CommandResult haltOrResume(CommandJob commandJob, Order.BarrierOrder order, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    journal.begin(commandJob.command().id(), commandJob.text());
    accepted.run();
    return switch (order) {
      case Order.Halt halt -> halts.halt(commandJob, halt);
      case Order.Resume resume -> halts.resume(commandJob, resume);
    };
  }

  private CommandResult runDriver(CommandJob commandJob, ReleaseOrder order, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    Command command = commandJob.command();
    ReleaseVerifier.VerifiedRelease verified = releaseVerifier.verify(command, order);
    rebootAndStop.requireNoHandover(command, verified.release());
    boolean isBegun = journal.find(command.id()).isPresent();
    if (!isBegun) {
      requireNotHeld(command, order);
      if (order instanceof Order.InstallOrder) {
        halts.requireNotHalted(command);
      }
      preconditions.check(command, order, verified.release());
    }
    journal.begin(command.id(), commandJob.text());
    accepted.run();
    CommandResult commandResult = runWithRetries(commandJob, order, verified.release(), verified.driver());
    recordResult(order, verified.release(), commandResult);
    return commandResult;
  }

  /// The server sends no such command once it knows of the hold; until then, the host itself keeps to it.
  private void requireNotHeld(Command command, ReleaseOrder order) throws StepFailed, IOException {
    if (order instanceof Order.InstallOrder install && !install.overrideHold()) {
      Optional<PackageHold> hold = environment.ownerHolds().find(command.packageName(), clock.estimated());
      if (hold.isPresent()) {
        throw StepFailed.declined("held-by-owner", hold.get().describe(command.packageName()));
      }
    }
  }

  private CommandResult runWithRetries(
      CommandJob commandJob, ReleaseOrder order, ReleaseManifest release, Driver driver) throws InterruptedException {
    Command command = commandJob.command();
    Job job = new DriverJob(commandJob, release, environment.artifacts(), eventPublisher);
    AgentIntervals intervals = environment.intervals();
    var pauses = new Backoff(intervals.firstRetry(), intervals.maxRetry());
    while (true) {
      CommandResult commandResult = callDriverLocked(driver, order, job);
      if (Thread.currentThread().isInterrupted()
          || !(commandResult instanceof CommandResult.Failed failed)
          || failed.errorClass() != WireErrorClass.RETRYABLE) {
        return commandResult;
      }
      Duration pause = pauses.next();
      if (isTooLate(command, pause)) {
        return commandResult;
      }
      job.log("%s: %s; retry in %d ms".formatted(failed.code(), failed.text(), pause.toMillis()));
      if (!commandJob.awaitRetry(pause)) {
        boolean isUnchanged = commandJob.isCancelled() && order instanceof Order.Prepare;
        return isUnchanged ? new CommandResult.Cancelled() : commandResult;
      }
    }
  }

  /// Not while the package resumes by itself.
  private CommandResult callDriverLocked(Driver driver, ReleaseOrder order, Job job) throws InterruptedException {
    ReentrantLock lock = halts.lockOf(job.command().packageName());
    lock.lockInterruptibly();
    try {
      return callDriver(driver, order, job);
    } finally {
      lock.unlock();
    }
  }

  private static CommandResult callDriver(Driver driver, ReleaseOrder order, Job job) {
    return switch (order) {
      case Order.Prepare _ -> driver.prepare(job);
      case Order.Upgrade _ -> driver.upgrade(job);
      case Order.Commit _ -> driver.commit(job);
      case Order.Rollback _ -> driver.rollback(job);
    };
  }

  private boolean isTooLate(Command command, Duration pause) {
    Optional<Instant> now = clock.estimated();
    return now.isPresent() && now.get().plus(pause).isAfter(command.notAfter());
  }

  private void recordResult(ReleaseOrder order, ReleaseManifest release, CommandResult commandResult)
      throws IOException {
    if (commandResult instanceof CommandResult.Failed || commandResult instanceof CommandResult.Cancelled) {
      return;
    }
    switch (order) {
      case Order.Upgrade _ -> journal.recordInstalled(release.packageName(), release.sequence());
      case Order.Rollback _ -> journal.recordRolledBack(release.packageName(), release.sequence());
      case Order.Prepare _, Order.Commit _ -> {}
    }
  }

  /// A command as its driver sees it.
  private static final class DriverJob implements Job {
    /// Operators read the progress, and the stream keeps it.
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);

    private final CommandJob commandJob;
    private final ReleaseManifest release;
    private final ArtifactSource artifacts;
    private final EventPublisher eventPublisher;
    private long nextProgress = System.nanoTime();

    DriverJob(CommandJob commandJob, ReleaseManifest release, ArtifactSource artifacts, EventPublisher eventPublisher) {
      this.commandJob = commandJob;
      this.release = release;
      this.artifacts = artifacts;
      this.eventPublisher = eventPublisher;
    }

    @Override
    public Command command() {
      return commandJob.command();
    }

    @Override
    public ReleaseManifest release() {
      return release;
    }

    @Override
    public Path fetchArtifact() throws StepFailed {
      ReleaseManifest.Artifact artifact =
          release.artifact().orElseThrow(() -> StepFailed.fatal("no-artifact", "the release has no artifact"));
      if (!(commandJob.order() instanceof Order.Prepare prepare) || prepare.artifactUrl().isEmpty()) {
        throw StepFailed.fatal("no-artifact-url", "the command does not say where the artifact is");
      }
      return artifacts.fetch(
          prepare.artifactUrl(), artifact, new DownloadControl(this::isCancelled, this::reportProgress));
    }

    @Override
    public boolean isCancelled() {
      return commandJob.isCancelled();
    }

    @Override
    public synchronized void reportProgress(String text) {
      long now = System.nanoTime();
      if (now - nextProgress >= 0) {
        nextProgress = now + PROGRESS_INTERVAL.toNanos();
        eventPublisher.publishProgress(command(), text);
      }
    }

    @Override
    public void log(String line) {
      commandJob.log(line);
    }
  }
}
