package dev.uplift.agent.command;

import dev.uplift.agent.command.HostEnvironment.ArtifactSource;
import dev.uplift.agent.download.DownloadControl;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// A command as its driver sees it.
final class DriverJob implements Job {
  /// People read it, and the stream keeps it.
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);

  private final CommandJob commandJob;
  private final ReleaseManifest release;
  private final ArtifactSource artifacts;
  private final Consumer<String> progress;
  private long nextProgress = System.nanoTime();

  DriverJob(
      CommandJob commandJob,
      ReleaseManifest release,
      ArtifactSource artifacts,
      Consumer<String> progress) {
    this.commandJob = commandJob;
    this.release = release;
    this.artifacts = artifacts;
    this.progress = progress;
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
        release
            .artifact()
            .orElseThrow(() -> StepFailed.fatal("no-artifact", "the release has no artifact"));
    String address = command().artifactUrl();
    if (address.isEmpty()) {
      throw StepFailed.fatal("no-artifact-url", "the command does not say where the artifact is");
    }
    return artifacts.fetch(
        address, artifact, new DownloadControl(this::isCancelled, this::reportProgress));
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
      progress.accept(text);
    }
  }

  @Override
  public void log(String line) {
    commandJob.log().add(line);
  }
}
