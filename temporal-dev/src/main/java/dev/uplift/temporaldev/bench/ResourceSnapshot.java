package dev.uplift.temporaldev.bench;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProcess;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/// Resource usage of all processes of a stack at one instant.
///
/// @param atNanos time of the monotonic clock
/// @param operations how often each was done since its server started
record ResourceSnapshot(
    long atNanos, SequencedMap<String, ProcessUsage> usageByProcess, SequencedMap<String, Double> operations) {
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
    return new ResourceSnapshot(System.nanoTime(), usageByProcess, OperationCounts.read(stack));
  }

  /// Returns how often each operation was done since an earlier snapshot.
  SequencedMap<String, Double> operationsSince(ResourceSnapshot earlier) {
    SequencedMap<String, Double> since = new LinkedHashMap<>();
    operations.forEach((name, count) -> since.put(name, count - earlier.operations.getOrDefault(name, 0.0)));
    return since;
  }

  Duration timeSince(ResourceSnapshot earlier) {
    return Duration.ofNanos(atNanos - earlier.atNanos);
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
