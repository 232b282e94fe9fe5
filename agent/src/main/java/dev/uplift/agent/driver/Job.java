package dev.uplift.agent.driver;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;

/// One command in work, as a driver sees it. Whoever calls has checked signatures, time, epoch and
/// preconditions.
public interface Job {
  Command command();

  /// The release that is to be brought, or taken back.
  ReleaseManifest release();

  /// The release's artifact, of the size and digest that its signature covers; fetched if it is not
  /// there yet. Whoever asked may delete the file when it is done with it.
  ///
  /// @throws StepFailed with the answer to give: the download broke, was cancelled, or is not what
  ///   was signed
  Path fetchArtifact() throws StepFailed;

  /// Whether somebody wants this command broken off.
  boolean isCancelled();

  /// Told to whoever watches; may be called as often as one likes.
  void reportProgress(String text);

  /// Goes into the log whose tail travels with the outcome.
  void log(String line);
}
