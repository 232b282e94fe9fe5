package dev.uplift.agent.driver;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;

/// The command being executed, as a driver sees it. Signatures, time, epoch and preconditions are checked.
public interface Job {
  Command command();

  /// The release to install, or to roll back.
  ReleaseManifest release();

  /// SHA-256, in hex, of the artifact that was prepared, as an `upgrade` names it; empty in other commands and for
  /// releases without an artifact.
  default String preparedDigest() {
    return command().order() instanceof Order.Upgrade upgrade ? upgrade.digest() : "";
  }

  /// The release's artifact, of the size and digest that its signature covers; fetched if it is not there yet. The
  /// driver may delete the file when it is done with it.
  ///
  /// @throws StepFailed with the answer to give: the download broke, was cancelled, or is not what was signed
  Path fetchArtifact() throws StepFailed;

  /// Returns whether the command is cancelled.
  boolean isCancelled();

  /// Publishes a line for operators. May be called often; most lines are dropped.
  void reportProgress(String text);

  /// Goes into the log whose tail travels with the outcome.
  void log(String line);
}
