package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import tools.jackson.databind.node.ObjectNode;

/// Latencies of requests with large tables.
///
/// @param latencies in milliseconds by kind of request
/// @param includedDevices in the last validation
/// @param heapKib of the server at the end, after a collection
record TableFigures(int devices, SequencedMap<String, Percentiles> latencies, int includedDevices, long heapKib)
    implements BenchFigures {
  @Override
  public boolean isSuccessful() {
    return includedDevices == devices;
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("devices", devices);
    ObjectNode ms = json.putObject("ms");
    latencies.forEach((name, percentiles) -> percentiles.putInto(ms.putObject(name)));
    json.put("included_devices", includedDevices);
    json.put("server_heap_mib", Math.round(heapKib / ProcessCosts.MIB));
    return json;
  }

  @Override
  public List<String> lines() {
    Table table = new Table(devices + " DEVICES", "SAMPLES", "P50 MS", "P99 MS", "MAX MS");
    latencies.forEach((name, percentiles) ->
        table.addRow(
            name,
            Long.toString(percentiles.samples()),
            Long.toString(percentiles.p50()),
            Long.toString(percentiles.p99()),
            Long.toString(percentiles.max())));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "%d devices included; server heap %d MiB".formatted(includedDevices, Math.round(heapKib / ProcessCosts.MIB)));
    return lines;
  }
}
