package dev.uplift.agent.driver;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Path;

/// What a driver does for one of its verbs.
@FunctionalInterface
public interface Work {
  Result run() throws StepFailed, IOException, InterruptedException;

  /// Carries it out. Whatever it meets becomes an answer.
  ///
  /// @param near where it works: is the disk full there?
  static Result answer(FileOps files, Path near, Work work) {
    try {
      return work.run();
    } catch (StepFailed e) {
      return e.result();
    } catch (IOException e) {
      return DiskTrouble.of(e, files, near).result();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return StepFailed.retryable("interrupted", "the agent is ending").result();
    }
  }
}
