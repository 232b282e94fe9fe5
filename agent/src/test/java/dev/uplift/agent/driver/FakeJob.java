package dev.uplift.agent.driver;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A command being executed, with an artifact that exists or is downloaded as a test prepares it.
public final class FakeJob implements Job {
  /// Where the artifact comes from.
  public interface Source {
    Path artifact(FakeJob job) throws StepFailed;
  }

  private final Command command;
  private final ReleaseManifest release;
  private final Source source;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final List<String> progress = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean cancelled;

  public FakeJob(Command command, ReleaseManifest release, Source source) {
    this.command = command;
    this.release = release;
    this.source = source;
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public ReleaseManifest release() {
    return release;
  }

  @Override
  public Path fetchArtifact() throws StepFailed {
    return source.artifact(this);
  }

  public void cancel() {
    cancelled = true;
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void reportProgress(String text) {
    progress.add(text);
  }

  @Override
  public void log(String line) {
    log.add(line);
  }

  public List<String> logLines() {
    return List.copyOf(log);
  }

  public List<String> progress() {
    return List.copyOf(progress);
  }
}
