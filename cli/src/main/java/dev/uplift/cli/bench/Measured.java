package dev.uplift.cli.bench;

import dev.uplift.temporaldev.Part;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/// What each process of the stack had used at one moment.
///
/// @param atNanos of the monotonic clock
record Measured(long atNanos, SequencedMap<String, ProcessUse> uses) {

  static Measured now(Stack stack, Part simulator) {
    SequencedMap<String, ProcessUse> uses = new LinkedHashMap<>();
    uses.put("temporal", ProcessUse.of(stack.temporal().pid()));
    uses.put("server", ProcessUse.of(stack.server().pid()));
    uses.put("nats", ProcessUse.of(stack.nats().pid()));
    uses.put("simulator", ProcessUse.of(simulator.pid()));
    return new Measured(System.nanoTime(), uses);
  }

  Duration since(Measured earlier) {
    return Duration.ofNanos(atNanos - earlier.atNanos);
  }

  /// Processor time by process since then.
  Map<String, Duration> cpuSince(Measured earlier) {
    Map<String, Duration> cpu = new LinkedHashMap<>();
    uses.forEach((name, use) -> {
      ProcessUse before = earlier.uses.get(name);
      cpu.put(name, before == null ? use.cpu() : use.cpu().minus(before.cpu()));
    });
    return cpu;
  }
}
