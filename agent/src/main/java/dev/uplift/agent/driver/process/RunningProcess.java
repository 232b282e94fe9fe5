package dev.uplift.agent.driver.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A process, known by its id and the moment it started, so that another that got the same id later is not taken for
/// it. From the line that `/proc/<pid>/stat` says.
///
/// @param startTicks since boot, a hundred per second
record RunningProcess(long pid, long startTicks) {
  private static final int START_FIELD = 19;

  /// The name is in parentheses and may contain anything, so count from the last one.
  static Optional<RunningProcess> parse(String stat) {
    int name = stat.indexOf('(');
    String[] rest = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (name < 2 || rest.length <= START_FIELD) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new RunningProcess(Long.parseLong(stat.substring(0, name).strip()), Long.parseLong(rest[START_FIELD])));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  boolean isAlive() {
    return read(Path.of("/proc", Long.toString(pid), "stat"))
        .filter(stat -> !stat.substring(stat.lastIndexOf(')') + 1).startsWith(" Z"))
        .flatMap(RunningProcess::parse)
        .filter(this::equals)
        .isPresent();
  }

  /// Independent of the wall clock.
  Duration age() {
    String uptime = read(Path.of("/proc/uptime")).orElse("0 0");
    double seconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
    return Duration.ofMillis((long) (seconds * 1000) - startTicks * 10);
  }

  /// To the process and all that it started in its own group. It leads the group, as it leads its session.
  void signalGroup(String signal) throws IOException, InterruptedException {
    if (isAlive()) {
      var kill = new ProcessBuilder(List.of("sh", "-c", "kill -" + signal + " -" + pid));
      kill.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      kill.start().waitFor();
    }
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException _) {
      // The process ended while its file was being read.
      return Optional.empty();
    }
  }
}
