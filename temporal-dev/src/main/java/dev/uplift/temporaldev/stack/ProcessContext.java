package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.process.ProcessTag;
import java.nio.file.Path;
import java.util.List;

/// A part of a stack: its name in messages, its working folder, the tag of its processes and that
/// of the whole stack.
record ProcessContext(String name, Path folder, ProcessTag tag, ProcessTag stackTag) {
  /// Returns the folder for temporary files of its processes; emptied at each start.
  Path temporaryFolder() {
    return folder.resolve("tmp");
  }

  /// Returns Java options for a process that leaves no files elsewhere, even if it is killed.
  List<String> javaOptions() {
    return List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + temporaryFolder());
  }
}
