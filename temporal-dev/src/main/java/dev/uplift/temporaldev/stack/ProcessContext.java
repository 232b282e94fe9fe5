package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.process.ProcessTag;
import java.nio.file.Path;
import java.util.List;

/// A part's place in its stack: its name in messages, the folder it works in, and the marks of its
/// processes and of all of the stack's.
record ProcessContext(String name, Path folder, ProcessTag tag, ProcessTag stackTag) {
  /// For temporary files of its processes; empty when one starts.
  Path temporaryFolder() {
    return folder.resolve("tmp");
  }

  /// Options of Java for a process that leaves nothing elsewhere, not even when it is killed.
  List<String> javaOptions() {
    return List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + temporaryFolder());
  }
}
