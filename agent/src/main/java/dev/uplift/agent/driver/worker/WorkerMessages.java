package dev.uplift.agent.driver.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.json.MalformedMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The messages between the agent and a worker, one JSON object a line.
final class WorkerMessages {
  static final String PREPARE = "prepare";
  static final String UPGRADE = "upgrade";
  static final String REBOOT = "reboot";

  private WorkerMessages() {}

  static String prepare(String host, Instant notAfter) {
    return line(out -> out.put("action", PREPARE).put("hosts", List.of(host)).put("not-after", notAfter));
  }

  static String upgrade(String host) {
    return line(out -> out.put("action", UPGRADE).put("host", host));
  }

  static String reboot(String host) {
    return line(out -> out.put("action", REBOOT).put("host", host));
  }

  private static String line(Consumer<JsonWriter> fields) {
    return new String(JsonWriter.toBytes(fields), UTF_8) + "\n";
  }

  /// The result of a reply to this action. Empty if the line is no such reply.
  static Optional<String> result(String action, String line) {
    try {
      JsonObject said = JsonObject.parse(line.getBytes(UTF_8));
      return said.stringOr("action", "").equals(action) ? Optional.of(said.string("result")) : Optional.empty();
    } catch (MalformedMessage _) {
      return Optional.empty();
    }
  }

  /// The versions by name, as the last line with versions says. None if no line has any.
  static SortedMap<String, String> lastVersions(String output) {
    return output
        .lines()
        .map(WorkerMessages::versions)
        .flatMap(Optional::stream)
        .reduce(new TreeMap<>(), (_, it) -> it);
  }

  /// Empty if the line is no flat object of texts.
  private static Optional<SortedMap<String, String>> versions(String line) {
    try {
      JsonObject said = JsonObject.parse(line.getBytes(UTF_8));
      if (said.has("action")) {
        return Optional.empty();
      }
      SortedMap<String, String> versions = new TreeMap<>();
      said.names().forEach(name -> versions.put(name, said.string(name)));
      return Optional.of(versions);
    } catch (MalformedMessage _) {
      return Optional.empty();
    }
  }

  /// Returns whether the line is a message rather than a text for people.
  static boolean isMessage(String line) {
    return line.stripLeading().startsWith("{");
  }
}
