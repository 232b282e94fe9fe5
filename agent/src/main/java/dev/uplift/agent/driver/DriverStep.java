package dev.uplift.agent.driver;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandResult;
import java.io.IOException;
import java.nio.file.Path;

/// The work of a driver for one step.
@FunctionalInterface
public interface DriverStep {
  CommandResult run() throws StepFailed, IOException, InterruptedException;

  /// Carries it out. Whatever it meets becomes an answer.
  ///
  /// @param near where it works: is the disk full there?
  static CommandResult resultOf(FileOps files, Path near, DriverStep driverStep) {
    try {
      return driverStep.run();
    } catch (StepFailed e) {
      return e.result();
    } catch (IOException e) {
      return DiskFailures.stepFailed(e, files, near).result();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return StepFailed.retryable("interrupted", "the agent is ending").result();
    }
  }
}
