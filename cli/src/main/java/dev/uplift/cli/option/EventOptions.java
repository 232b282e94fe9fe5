package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.ServerSentEvents;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Events as they come, for scripts.
public final class EventOptions {
  @Option(
      names = "--after",
      paramLabel = "ID",
      defaultValue = "",
      description = "Begins after this one; 0: with the first. Default: with what is now.")
  String after = "";

  /// Prints them until the last one has come. A connection that breaks is made again, and nothing
  /// is lost with it.
  public int printEvents(
      ConnectionOptions connectionOptions, OutputOptions outputOptions, String of) {
    String last = after;
    try (RestClient restClient = connectionOptions.connect()) {
      while (true) {
        try (ServerSentEvents serverSentEvents = restClient.subscribe(of + "/events", last)) {
          for (Optional<ServerSentEvents.Event> next = serverSentEvents.next();
              next.isPresent();
              next = serverSentEvents.next()) {
            last = next.get().id();
            outputOptions.printLine(toJsonLine(next.get()));
          }
          if (serverSentEvents.hasEnded()) {
            return 0;
          }
        } catch (CliException failed) {
          if (failed.exitCode() != CliException.UNREACHABLE || last.isEmpty()) {
            throw failed;
          }
        }
        ServerSentEvents.pauseBeforeReconnect();
      }
    }
  }

  private static String toJsonLine(ServerSentEvents.Event event) {
    ObjectNode line = RestClient.JSON.createObjectNode();
    line.put("id", event.id()).put("event", event.name());
    line.set("data", event.json());
    return line.toString();
  }
}
