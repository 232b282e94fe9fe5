package dev.uplift.agent.driver.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Checks whether a second agent has room in memory beside this one.
final class MemoryCheck {
  private MemoryCheck() {}

  static boolean isLow() throws IOException {
    return isLow(Files.readString(Path.of("/proc/meminfo")), Files.readString(Path.of("/proc/self/status")));
  }

  /// Less than twice of what this one needs is available. What cannot be read is not short.
  static boolean isLow(String meminfo, String status) {
    long available = kibibytes(meminfo, "MemAvailable:");
    long needed = kibibytes(status, "VmRSS:");
    return available > 0 && available < 2 * needed;
  }

  private static long kibibytes(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .filter(digits -> !digits.isEmpty() && digits.length() < 18)
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
