package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.stack.StackProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Measures what a large fleet costs while nothing is upgraded: many devices in the tables, of which some have hosts
/// that send heartbeats.
///
/// @param devices in the tables
/// @param hosts that are simulated, each the only host of one of the devices
record ScaleBench(BenchStack stack, int devices, int hosts, Duration measuringTime) {
  private static final Duration SETTLING_TIME = Duration.ofSeconds(60);
  private static final int SAMPLES = 12;

  /// How many samples at each end of the time are compared.
  private static final int COMPARED = 4;

  private static final double MAX_GROWTH_PERCENT = 10;

  ScaleFigures run() {
    stack.phase("devices", this::addDevices);
    StackProgram simulator = stack.startSimulator(hosts);
    stack.sleep("settles", SETTLING_TIME);
    List<Long> heapKib = new ArrayList<>(List.of(stack.serverHeapKib()));
    ResourceSnapshot before = stack.resources(simulator);
    long begun = System.nanoTime();
    for (int sample = 1; sample <= SAMPLES; sample++) {
      stack.sleep("idle, %d of %d".formatted(sample, SAMPLES), measuringTime.dividedBy(SAMPLES));
      heapKib.add(stack.serverHeapKib());
    }
    Duration time = Duration.ofNanos(System.nanoTime() - begun);
    ResourceSnapshot after = stack.resources(simulator);
    return new ScaleFigures(
        devices, hosts, onlineHosts(), time, after.cpuSince(before), after.usageByProcess(), heapKib);
  }

  private String addDevices() {
    Stream<String> silent = IntStream.range(hosts, devices).mapToObj("silent-%06d"::formatted);
    List<String> all = Stream.concat(BenchStack.deviceNames(hosts).stream(), silent).toList();
    stack.forEach(all, device -> stack.putDevice(device, _ -> {}));
    return Integer.toString(devices);
  }

  private int onlineHosts() {
    return Math.toIntExact(HostPresenceAwaiter.countOnline(stack.rest(), _ -> true));
  }

  /// The measured figures.
  ///
  /// @param online hosts at the end
  /// @param cpuByProcess CPU time within the time
  /// @param heapKib of the server after a collection, before, and after each twelfth of the time
  record ScaleFigures(
      int devices,
      int hosts,
      int online,
      Duration time,
      Map<String, Duration> cpuByProcess,
      Map<String, ProcessUsage> usageByProcess,
      List<Long> heapKib)
      implements BenchFigures {
    /// Returns whether all hosts are still online, and the heap of the server has not grown.
    @Override
    public boolean isSuccessful() {
      return online == hosts && heapGrowthPercent() <= MAX_GROWTH_PERCENT;
    }

    /// Returns by how much more the server has in its heap at the end than at the beginning.
    private double heapGrowthPercent() {
      double first = mean(heapKib.subList(0, COMPARED));
      double last = mean(heapKib.subList(heapKib.size() - COMPARED, heapKib.size()));
      return 100 * (last / first - 1);
    }

    private static double mean(List<Long> values) {
      return values.stream().mapToLong(Long::longValue).average().orElseThrow();
    }

    private double percent(String process) {
      return 100.0 * cpuByProcess.getOrDefault(process, Duration.ZERO).toMillis() / time.toMillis();
    }

    @Override
    public ObjectNode toJson() {
      ObjectNode json = RestClient.JSON.createObjectNode();
      json.put("devices", devices).put("hosts", hosts).put("hosts_online", online).put("seconds", time.toSeconds());
      ObjectNode cpu = json.putObject("idle_cpu_percent");
      ObjectNode resident = json.putObject("resident_mib");
      usageByProcess.forEach((process, usage) -> {
        cpu.put(process, ProcessCosts.rounded(percent(process)));
        resident.put(process, Math.round(usage.residentKib() / ProcessCosts.MIB));
      });
      ArrayNode heap = json.putArray("server_heap_mib");
      heapKib.forEach(kib -> heap.add(ProcessCosts.rounded(kib / ProcessCosts.MIB)));
      json.put("server_heap_growth_percent", ProcessCosts.rounded(heapGrowthPercent()));
      return json;
    }

    @Override
    public List<String> lines() {
      Table table = new Table("PROCESS", "IDLE CPU %", "RESIDENT MIB", "PEAK MIB");
      usageByProcess.forEach((process, usage) ->
          table.addRow(
              process,
              "%.1f".formatted(percent(process)),
              Long.toString(Math.round(usage.residentKib() / ProcessCosts.MIB)),
              Long.toString(Math.round(usage.peakKib() / ProcessCosts.MIB))));
      List<String> lines = new ArrayList<>(table.lines());
      lines.add("");
      lines.add("%d devices; %d of %d hosts online; %d s".formatted(devices, online, hosts, time.toSeconds()));
      lines.add(
          "server heap MiB: "
              + String.join(", ", heapKib.stream().map(kib -> "%.1f".formatted(kib / ProcessCosts.MIB)).toList())
              + "; growth %.1f %%".formatted(heapGrowthPercent()));
      return lines;
    }
  }
}
