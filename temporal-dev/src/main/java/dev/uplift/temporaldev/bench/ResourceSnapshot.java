package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.Sleeper;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProcess;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/// Resource usage of all processes of a stack at one instant.
///
/// @param operations how often each was done since its server started; what was done in the last second may be missing,
///   see [#withLateCounts]
record ResourceSnapshot(SequencedMap<String, ProcessUsage> usageByProcess, SequencedMap<String, Double> operations) {
  /// Longer than the second after which Temporal adds to its exported counters what it has counted.
  private static final Duration COUNTS_DELAY = Duration.ofMillis(1_500);

  /// @param isExternalDatabase whether the PostgreSQL of this machine counts, all of its processes together
  static ResourceSnapshot capture(Stack stack, StackProcess simulator, boolean isExternalDatabase) {
    SequencedMap<String, ProcessUsage> usageByProcess = new LinkedHashMap<>();
    usageByProcess.put("temporal", ProcessUsage.of(stack.temporal().pid()));
    usageByProcess.put("server", ProcessUsage.of(stack.server().pid()));
    usageByProcess.put("nats", ProcessUsage.of(stack.nats().pid()));
    if (isExternalDatabase) {
      usageByProcess.put("postgresql", ProcessUsage.ofAll("postgres"));
    }
    usageByProcess.put("simulator", ProcessUsage.of(simulator.pid()));
    return new ResourceSnapshot(usageByProcess, OperationCounts.read(stack));
  }

  /// Returns this usage with counts that include everything that was done until now. Blocks until Temporal has added it
  /// to what it exports.
  ResourceSnapshot withLateCounts(Stack stack) {
    Sleeper.sleep(COUNTS_DELAY);
    return new ResourceSnapshot(usageByProcess, OperationCounts.read(stack));
  }

  /// Returns how often each operation was done since an earlier snapshot.
  SequencedMap<String, Double> operationsSince(ResourceSnapshot earlier) {
    SequencedMap<String, Double> since = new LinkedHashMap<>();
    operations.forEach((name, count) -> since.put(name, count - earlier.operations.getOrDefault(name, 0.0)));
    return since;
  }

  /// Returns CPU time by process since an earlier snapshot.
  Map<String, Duration> cpuSince(ResourceSnapshot earlier) {
    Map<String, Duration> cpu = new LinkedHashMap<>();
    usageByProcess.forEach((name, use) -> {
      ProcessUsage before = earlier.usageByProcess.get(name);
      cpu.put(name, before == null ? use.cpu() : use.cpu().minus(before.cpu()));
    });
    return cpu;
  }
}
