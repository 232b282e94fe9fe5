package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.stack.Stack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// How often the servers of a stack have done what an upgrade costs, by their own metrics. Unlike times, counts do not
/// depend on the load of the machine.
final class OperationCounts {
  private OperationCounts() {}

  /// Returns the counts since each server started.
  static SequencedMap<String, Double> read(Stack stack) {
    SequencedMap<String, Double> counts = new LinkedHashMap<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      String temporal = get(http, stack.temporal().metricsUrl());
      counts.put("requests to Temporal", sum(temporal, "service_requests{", "service_name=\"frontend\""));
      counts.put("reads and writes of Temporal's store", sum(temporal, "persistence_requests{", ""));
      String server = get(http, stack.server().url() + "/prometheus");
      counts.put("SQL transactions", sum(server, "uplift_database_transactions_total", ""));
      counts.put("SQL statements", sum(server, "uplift_database_statements_total", ""));
    }
    return counts;
  }

  private static String get(HttpClient http, String url) {
    try {
      return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new CliException(CliException.UNREACHABLE, url + " does not respond: " + e, e);
    } catch (InterruptedException e) {
      throw CliException.interrupted(e);
    }
  }

  /// Adds up the samples of a metric in the text format of Prometheus.
  ///
  /// @param start of the lines that count
  /// @param label that they contain; empty: any
  static double sum(String metrics, String start, String label) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(start) && line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
