package dev.uplift.temporaldev.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Resource usage of a process, as counted by the kernel.
///
/// @param cpu time of all threads, in user and kernel mode
/// @param residentKib current memory
/// @param peakKib maximum of memory so far
record ProcessUsage(Duration cpu, long residentKib, long peakKib) {
  /// Constant on Linux, independent of the tick rate of the kernel.
  private static final long TICK_MS = 10;

  static ProcessUsage of(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    try {
      String stat = Files.readString(process.resolve("stat"));
      List<String> status = Files.readAllLines(process.resolve("status"));
      return new ProcessUsage(cpu(stat), kib(status, "VmRSS:"), kib(status, "VmHWM:"));
    } catch (IOException e) {
      throw new UncheckedIOException("process " + pid + " is gone", e);
    }
  }

  /// Reads fields 14 and 15. Field 2, the name, may contain anything, but ends at the last bracket.
  static Duration cpu(String stat) {
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    return Duration.ofMillis(
        TICK_MS * (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))));
  }

  static long kib(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
