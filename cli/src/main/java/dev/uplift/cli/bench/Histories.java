package dev.uplift.cli.bench;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.temporaldev.Temporal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/// How long the histories of workflows are, as Temporal's own HTTP interface says.
record Histories(Temporal temporal) {

  /// Of the newest upgrade of each device.
  Spread ofUpgrades(String tenant, List<String> devices) {
    return events(devices.stream().map(device -> "upgrade/" + tenant + "/" + device).toList());
  }

  Spread events(List<String> workflows) {
    List<Long> events = new ArrayList<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (String workflow : workflows) {
        URI address =
            URI.create(
                temporal.ui()
                    + "/api/v1/namespaces/"
                    + temporal.namespace()
                    + "/workflows/"
                    + Rest.segment(workflow));
        String said =
            http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
        events.add(Rest.JSON.readTree(said).at("/workflowExecutionInfo/historyLength").asLong());
      }
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.UNREACHABLE, "Temporal does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(CommandFailed.REFUSED, "interrupted", e);
    }
    return Spread.of(events);
  }
}
