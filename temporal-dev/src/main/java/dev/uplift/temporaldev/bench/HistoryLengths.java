package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.stack.TemporalServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/// Lengths of workflow histories, from Temporal's HTTP interface.
record HistoryLengths(TemporalServer temporal) {

  /// Returns the lengths for the newest upgrade of each device.
  Percentiles ofLatestUpgrades(String tenant, List<String> devices) {
    return ofWorkflows(devices.stream().map(device -> "upgrade/" + tenant + "/" + device).toList());
  }

  Percentiles ofWorkflows(List<String> workflows) {
    List<Long> events = new ArrayList<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (String workflow : workflows) {
        URI address =
            URI.create(
                temporal.uiUrl()
                    + "/api/v1/namespaces/"
                    + temporal.namespace()
                    + "/workflows/"
                    + RestClient.pathSegment(workflow));
        String body =
            http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
        events.add(
            RestClient.JSON.readTree(body).at("/workflowExecutionInfo/historyLength").asLong());
      }
    } catch (IOException e) {
      throw new CliException(CliException.UNREACHABLE, "Temporal does not respond: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.FAILED, "interrupted", e);
    }
    return Percentiles.of(events);
  }
}
