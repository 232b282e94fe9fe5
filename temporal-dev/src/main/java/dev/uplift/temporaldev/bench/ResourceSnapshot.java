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
record ResourceSnapshot(long atNanos, SequencedMap<String, ProcessUsage> usageByProcess) {

  static ResourceSnapshot capture(Stack stack, StackProcess simulator) {
    SequencedMap<String, ProcessUsage> usageByProcess = new LinkedHashMap<>();
    usageByProcess.put("temporal", ProcessUsage.of(stack.temporal().pid()));
    usageByProcess.put("server", ProcessUsage.of(stack.server().pid()));
    usageByProcess.put("nats", ProcessUsage.of(stack.nats().pid()));
    usageByProcess.put("simulator", ProcessUsage.of(simulator.pid()));
    return new ResourceSnapshot(System.nanoTime(), usageByProcess);
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
