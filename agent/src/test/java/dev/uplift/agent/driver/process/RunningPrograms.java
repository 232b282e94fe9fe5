package dev.uplift.agent.driver.process;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;

/// The programs that tests have started.
public final class RunningPrograms {
  private RunningPrograms() {}

  /// Blocks until no program writes to the folder any more: its exit code is there a moment before its shell ends.
  public static void awaitEnded(Path folder) {
    await()
        .until(() ->
            ProcessHandle.allProcesses()
                .noneMatch(process -> process.info().commandLine().orElse("").contains(folder.toString())));
  }
}
