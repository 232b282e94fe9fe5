package dev.uplift.agent.core;

import dev.uplift.agent.core.Surroundings.Artifacts;
import dev.uplift.agent.download.Watch;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// A command as its driver sees it.
final class Task implements Job {
  /// People read it, and the stream keeps it.
  private static final Duration BETWEEN_PROGRESS = Duration.ofSeconds(10);

  private final Assignment assignment;
  private final ReleaseManifest release;
  private final Artifacts artifacts;
  private final Consumer<String> progress;
  private long nextProgress = System.nanoTime();

  Task(
      Assignment assignment,
      ReleaseManifest release,
      Artifacts artifacts,
      Consumer<String> progress) {
    this.assignment = assignment;
    this.release = release;
    this.artifacts = artifacts;
    this.progress = progress;
  }

  @Override
  public Command command() {
    return assignment.command();
  }

  @Override
  public ReleaseManifest release() {
    return release;
  }

  @Override
  public Path artifact() throws StepFailed {
    ReleaseManifest.Artifact artifact =
        release
            .artifact()
            .orElseThrow(() -> StepFailed.fatal("no-artifact", "the release has no artifact"));
    String address = command().artifactUrl();
    if (address.isEmpty()) {
      throw StepFailed.fatal("no-address", "the command does not say where the artifact is");
    }
    return artifacts.fetch(address, artifact, new Watch(this::cancelled, this::progress));
  }

  @Override
  public boolean cancelled() {
    return assignment.isCancelled();
  }

  @Override
  public synchronized void progress(String text) {
    long now = System.nanoTime();
    if (now - nextProgress >= 0) {
      nextProgress = now + BETWEEN_PROGRESS.toNanos();
      progress.accept(text);
    }
  }

  @Override
  public void log(String line) {
    assignment.log().add(line);
  }
}
