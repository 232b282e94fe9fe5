package dev.uplift.cli.bench;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import tools.jackson.databind.node.ObjectNode;

/// How long requests take where the table is large.
///
/// @param times in milliseconds, by what was asked
/// @param wouldTakePart devices, in the last check
/// @param heapKib of the server in the end, after a collection
record TableFigures(
    int devices, SequencedMap<String, Spread> times, int wouldTakePart, long heapKib)
    implements Figures {
  private static final double MIB = 1024;

  @Override
  public boolean isAsWished() {
    return wouldTakePart == devices;
  }

  @Override
  public ObjectNode json() {
    ObjectNode json = Rest.JSON.createObjectNode();
    json.put("devices", devices);
    ObjectNode ms = json.putObject("ms");
    times.forEach((name, spread) -> BenchReport.put(ms.putObject(name), spread));
    json.put("would_take_part", wouldTakePart);
    json.put("server_heap_mib", Math.round(heapKib / MIB));
    return json;
  }

  @Override
  public List<String> lines() {
    Table table = new Table(devices + " DEVICES", "SAMPLES", "P50 MS", "P99 MS", "MOST MS");
    times.forEach((name, spread) ->
        table.row(
            name,
            Long.toString(spread.samples()),
            Long.toString(spread.p50()),
            Long.toString(spread.p99()),
            Long.toString(spread.max())));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "%d would take part; server heap %d MiB"
            .formatted(wouldTakePart, Math.round(heapKib / MIB)));
    return lines;
  }
}
