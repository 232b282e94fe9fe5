package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.process.SystemCommands;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The used heap of a Java process after a full collection, by `jcmd`.
final class JavaHeap {
  private static final Pattern USED_PATTERN =
      Pattern.compile("^(?:DefNew|Tenured) +total \\d+K, used (\\d+)K", Pattern.MULTILINE);

  private JavaHeap() {}

  static long usedKib(long pid) {
    var _ = jcmd(pid, "GC.run");
    return usedKib(jcmd(pid, "GC.heap_info"));
  }

  /// Adds up all generations of the serial collector.
  static long usedKib(String heapInfo) {
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
