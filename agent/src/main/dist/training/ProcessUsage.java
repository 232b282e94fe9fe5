import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Resource usage of a process, as counted by the kernel.
final class ProcessUsage {
  private static final double MIB = 1024;

  private final Path process;

  ProcessUsage(long pid) {
    process = Path.of("/proc", Long.toString(pid));
  }

  /// Of all its threads, also of those that have ended. Grains of 10 ms.
  double cpuMillis() throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10.0;
  }

  double pss() throws IOException {
    return rollup("Pss:");
  }

  void printMemory(String when) throws IOException {
    CacheTraining.printFigure(when + ", resident, MiB", rollup("Rss:"));
    CacheTraining.printFigure(when + ", proportional, MiB", rollup("Pss:"));
    CacheTraining.printFigure(when + ", anonymous, MiB", rollup("Pss_Anon:"));
  }

  void printPeak() throws IOException {
    CacheTraining.printFigure("highest resident so far, MiB", line("status", "VmHWM:"));
  }

  private double rollup(String name) throws IOException {
    return line("smaps_rollup", name);
  }

  private double line(String file, String name) throws IOException {
    List<String> lines = Files.readAllLines(process.resolve(file));
    String line = lines.stream().filter(each -> each.startsWith(name)).findFirst().orElseThrow();
    return Long.parseLong(line.replaceAll("[^0-9]", "")) / MIB;
  }
}
