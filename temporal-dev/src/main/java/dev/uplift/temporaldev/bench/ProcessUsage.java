package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.process.SystemCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Resource usage of a process, as counted by the kernel.
///
/// @param cpu time of all threads, in user and kernel mode
/// @param residentKib current memory
/// @param peakKib maximum of memory so far
public record ProcessUsage(Duration cpu, long residentKib, long peakKib) {
  /// Constant on Linux, independent of the tick rate of the kernel.
  private static final long TICK_MS = 10;

  private static final Pattern USED_PATTERN =
      Pattern.compile("^(?:DefNew|Tenured) +total \\d+K, used (\\d+)K", Pattern.MULTILINE);

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

  /// Adds up all processes of that name, with those that have ended since the first of them began.
  static ProcessUsage ofAll(String name) {
    Duration cpu = Duration.ZERO;
    long residentKib = 0;
    long sharedKib = 0;
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      for (Path process : processes.filter(each -> isNamed(each, name)).toList()) {
        String stat = Files.readString(process.resolve("stat"));
        List<String> status = Files.readAllLines(process.resolve("status"));
        cpu = cpu.plus(cpu(stat)).plus(cpuOfEndedChildren(stat));
        residentKib += kib(status, "RssAnon:");
        sharedKib = Math.max(sharedKib, kib(status, "RssShmem:"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a process of %s has just ended".formatted(name), e);
    }
    return new ProcessUsage(cpu, residentKib + sharedKib, residentKib + sharedKib);
  }

  private static boolean isNamed(Path process, String name) {
    try {
      return Files.readString(process.resolve("comm")).strip().equals(name);
    } catch (IOException _) {
      // Not a process, or one that has ended.
      return false;
    }
  }

  /// Reads fields 16 and 17.
  private static Duration cpuOfEndedChildren(String stat) {
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    return Duration.ofMillis(TICK_MS * (Long.parseLong(fields.get(13)) + Long.parseLong(fields.get(14))));
  }

  /// Reads fields 14 and 15. Field 2, the name, may contain anything, but ends at the last bracket.
  static Duration cpu(String stat) {
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    return Duration.ofMillis(TICK_MS * (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))));
  }

  static long kib(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }

  /// Returns the used heap of a Java process after a full collection.
  public static long usedHeapKib(long pid) {
    var _ = jcmd(pid, "GC.run");
    return usedHeapKib(jcmd(pid, "GC.heap_info"));
  }

  /// Adds up all generations of the serial collector.
  static long usedHeapKib(String heapInfo) {
    Matcher used = USED_PATTERN.matcher(heapInfo);
    long all = 0;
    while (used.find()) {
      all += Long.parseLong(used.group(1));
    }
    return all;
  }

  private static String jcmd(long pid, String command) {
    String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    return SystemCommands.run(List.of(program, Long.toString(pid), command))
        .orElseThrow(() -> new CliException(CliException.FAILED, "jcmd " + command + " failed"));
  }
}
