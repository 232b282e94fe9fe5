package dev.uplift.temporaldev.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a process has used so far, as the kernel counts it.
///
/// @param cpu of all its threads, in user and kernel mode
/// @param residentKib memory that it holds now
/// @param peakKib the most that it ever held
record ProcessUsage(Duration cpu, long residentKib, long peakKib) {
  /// Fixed for programs on Linux, whatever the kernel ticks with.
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

  /// Fields 14 and 15. The second one, the name, may hold anything, but ends at the last bracket.
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
