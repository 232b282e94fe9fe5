package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Events;
import dev.uplift.cli.rest.Rest;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Events as they come, for scripts.
final class EventWishes {
  @Option(
      names = "--after",
      paramLabel = "ID",
      defaultValue = "",
      description = "Begins after this one; 0: with the first. Default: with what is now.")
  String after = "";

  /// Prints them until the last one has come. A connection that breaks is made again, and nothing
  /// is lost with it.
  int follow(Connection connection, Output output, String of) {
    String last = after;
    try (Rest rest = connection.open()) {
      while (true) {
        try (Events events = rest.listen(of + "/events", last)) {
          for (Optional<Events.Event> next = events.next();
              next.isPresent();
              next = events.next()) {
            last = next.get().id();
            output.say(line(next.get()));
          }
          if (events.isOver()) {
            return 0;
          }
        } catch (CommandFailed failed) {
          if (failed.exitCode() != CommandFailed.UNREACHABLE || last.isEmpty()) {
            throw failed;
          }
        }
        Events.pause();
      }
    }
  }

  private static String line(Events.Event event) {
    ObjectNode line = Rest.JSON.createObjectNode();
    line.put("id", event.id()).put("event", event.name());
    line.set("data", event.json());
    return line.toString();
  }
}
