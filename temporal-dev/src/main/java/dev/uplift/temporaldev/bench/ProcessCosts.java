package dev.uplift.temporaldev.bench;

import dev.uplift.cli.text.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Cost of upgrades by process.
///
/// @param cpuByProcess CPU time of all upgrades
/// @param usageByProcess usage at the end
record ProcessCosts(int upgrades, Map<String, Duration> cpuByProcess, Map<String, ProcessUsage> usageByProcess) {
  static final double MIB = 1024;

  /// Returns CPU time per upgrade.
  double cpuMs(String process) {
    return cpuByProcess.getOrDefault(process, Duration.ZERO).toMillis() / (double) upgrades;
  }

  double cpuMs() {
    return cpuByProcess.keySet().stream().mapToDouble(this::cpuMs).sum();
  }

  /// Returns CPU time per upgrade of all processes but the simulator, which plays the hosts.
  double serversCpuMs() {
    return cpuMs() - cpuMs("simulator");
  }

  boolean hasExternalDatabase() {
    return usageByProcess.containsKey("postgresql");
  }

  double perSecond(Duration duration) {
    return upgrades / (duration.toMillis() / 1000.0);
  }

  ObjectNode putMemory(ObjectNode json, String field, ToLongFunction<ProcessUsage> kib) {
    ObjectNode memory = json.putObject(field);
    usageByProcess.forEach((name, usage) -> memory.put(name, Math.round(kib.applyAsLong(usage) / MIB)));
    return json;
  }

  /// Formats a row for each process.
  ///
  /// @param idleCpuByProcess CPU time per second without upgrades; null if it was not measured
  List<String> lines(@Nullable Map<String, Duration> idleCpuByProcess) {
    List<String> headings = new ArrayList<>(List.of("PROCESS", "CPU MS PER UPGRADE", "RESIDENT MIB", "PEAK MIB"));
    if (idleCpuByProcess != null) {
      headings.add(2, "IDLE CPU %");
    }
    Table table = new Table(headings.toArray(String[]::new));
    usageByProcess.forEach((name, usage) -> {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  name.equals("server") && !hasExternalDatabase() ? "server (with H2)" : name,
                  "%.1f".formatted(cpuMs(name)),
                  Long.toString(Math.round(usage.residentKib() / MIB)),
                  Long.toString(Math.round(usage.peakKib() / MIB))));
      if (idleCpuByProcess != null) {
        Duration idle = idleCpuByProcess.getOrDefault(name, Duration.ZERO);
        cells.add(2, "%.1f".formatted(idle.toMillis() / 10.0));
      }
      table.addRow(cells.toArray(String[]::new));
    });
    return table.lines();
  }

  static double rounded(double figure) {
    return Math.round(figure * 10) / 10.0;
  }
}
