package dev.uplift.agent.driver.worker;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.OfferReader;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageReboot;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.PreparedRelease;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.worker.WorkerRun.Inputs;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;

/// Has a worker of the operator do the work. What it replies is checked against the versions that it says.
public final class WorkerDriver implements Driver {
  private static final Duration PREPARE_TIMEOUT = Duration.ofHours(6);
  private static final Duration UPGRADE_TIMEOUT = Duration.ofHours(1);

  private final PackageContext packageContext;
  private final WorkerRun workerRun;
  private final FileOps files;
  private final Path stateFolder;

  public WorkerDriver(PackageContext packageContext) {
    this.packageContext = packageContext;
    this.workerRun = new WorkerRun(packageContext);
    this.files = packageContext.host().files();
    this.stateFolder = packageContext.stateFolder();
  }

  @Override
  public PackageState inspect() {
    try {
      if (!workerRun.hasExecutable()) {
        return PackageState.unknown();
      }
      SortedMap<String, String> said = workerRun.versions();
      String version = said.getOrDefault(versionKey(), PackageState.UNKNOWN);
      String staged =
          PreparedRelease.read(stateFolder).filter(it -> !it.isUsed()).map(PreparedRelease::version).orElse("");
      return new PackageState(version, staged, false, OfferReader.read(said, versionKey() + "_"));
    } catch (IOException | StepFailed _) {
      // Unmeasurable is unknown: the contract of `inspect`.
      return PackageState.unknown();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return PackageState.unknown();
    }
  }

  /// The name of this package among the versions that the worker says.
  private String versionKey() {
    return packageContext.settings().text("version_key").orElse(packageContext.packageName());
  }

  @Override
  public CommandResult prepare(Job job) {
    return workerRun.resultOf(() -> {
      String id = job.command().id();
      if (!workerRun.isKnown(id)) {
        // Only the last `prepare` counts, and this one may fail.
        PreparedRelease.delete(files, stateFolder);
      }
      Optional<Path> artifact =
          job.release().artifact().isPresent() && !workerRun.isKnown(id)
              ? Optional.of(job.fetchArtifact())
              : Optional.empty();
      WorkerReply reply =
          workerRun.deliver(
              WorkerMessages.PREPARE,
              WorkerMessages.prepare(host(), job.command().notAfter()),
              job,
              new Inputs(inspect().version(), artifact, PREPARE_TIMEOUT),
              job::isCancelled);
      if (reply.isDone()) {
        PreparedRelease.of(job.release()).write(files, stateFolder);
      }
      return reply.toCommandResult(WorkerMessages.PREPARE);
    });
  }

  @Override
  public CommandResult upgrade(Job job) {
    return workerRun.resultOf(() -> {
      String id = job.command().id();
      PreparedRelease prepared = PreparedRelease.require(stateFolder, job);
      if (job.isCancelled() && !workerRun.isKnown(id)) {
        return new CommandResult.Cancelled();
      }
      WorkerReply reply =
          workerRun.deliver(
              WorkerMessages.UPGRADE,
              WorkerMessages.upgrade(host()),
              job,
              new Inputs(inspect().version(), Optional.empty(), UPGRADE_TIMEOUT),
              () -> false);
      if (!reply.isInterrupted()) {
        String boot = reply.isRebootRequired() ? packageContext.host().bootId().get() : "";
        prepared.upgraded(id, boot).write(files, stateFolder);
      }
      return reply.isRebootRequired() ? new CommandResult.RebootRequired() : requireVersion(reply, job);
    });
  }

  /// A worker that says it is done, while another version runs, is not believed.
  private CommandResult requireVersion(WorkerReply reply, Job job) throws StepFailed {
    if (!reply.isDone()) {
      return reply.toCommandResult(WorkerMessages.UPGRADE);
    }
    String version = inspect().version();
    if (!version.equals(job.command().version()) && !version.equals(PackageState.UNKNOWN)) {
      throw StepFailed.fatal(
          "version-mismatch",
          "done, says the worker, but it finds %s, not %s".formatted(version, job.command().version()));
    }
    return new CommandResult.Done();
  }

  /// There is no trial.
  @Override
  public CommandResult commit(Job job) {
    return new CommandResult.Done();
  }

  /// No message asks a worker to go back, so this succeeds only on a host that never left the version.
  @Override
  public CommandResult rollback(Job job) {
    return workerRun.resultOf(() -> {
      String wanted = job.command().version();
      String boot = packageContext.host().bootId().get();
      boolean isPending = PreparedRelease.read(stateFolder).filter(it -> it.bootToEnd().equals(boot)).isPresent();
      String version = inspect().version();
      if (isPending || !version.equals(wanted)) {
        throw StepFailed.declined(
            "no-rollback",
            isPending
                ? "the next boot changes the version, and a worker cannot go back"
                : "a worker cannot go back from %s to %s".formatted(version, wanted));
      }
      PreparedRelease.delete(files, stateFolder);
      return new CommandResult.Done();
    });
  }

  @Override
  public Optional<PackageReboot> ownReboot() {
    return Optional.of(new WorkerReboot(workerRun));
  }

  private String host() {
    return packageContext.host().name();
  }
}
