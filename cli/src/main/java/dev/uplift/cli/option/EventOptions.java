package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.ServerSentEvents;
import dev.uplift.cli.rest.Sleeper;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Prints events as they occur, for scripts.
public final class EventOptions {
  private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);

  @Option(
      names = "--after",
      paramLabel = "ID",
      defaultValue = "",
      description = "Begin after this event; 0: with the first. Default: with the current state, or with what comes.")
  String after = "";

  /// Prints events until the last one.
  ///
  /// @param path of what they are about; empty: the tenant Reconnects without loss if the connection breaks.
  public int printEvents(ServerOptions server, String path) {
    String last = after;
    try (RestClient restClient = server.connect()) {
      while (true) {
        try (ServerSentEvents serverSentEvents =
            restClient.subscribe(path.isEmpty() ? "events" : path + "/events", last)) {
          for (Optional<ServerSentEvents.Event> next = serverSentEvents.next();
              next.isPresent();
              next = serverSentEvents.next()) {
            last = next.get().id();
            server.output().printJsonLine(toJsonLine(next.get()));
          }
          if (serverSentEvents.hasEnded()) {
            return 0;
          }
        } catch (CliException failed) {
          if (failed.exitCode() != CliException.UNREACHABLE || last.isEmpty()) {
            throw failed;
          }
        }
        Sleeper.sleep(RECONNECT_DELAY);
      }
    }
  }

  private static ObjectNode toJsonLine(ServerSentEvents.Event event) {
    ObjectNode line = RestClient.JSON.createObjectNode();
    line.put("id", event.id()).put("event", event.name());
    line.set("data", event.json());
    return line;
  }
}
