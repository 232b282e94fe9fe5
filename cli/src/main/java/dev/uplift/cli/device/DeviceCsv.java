package dev.uplift.cli.device;

import dev.uplift.cli.enrolment.EnrolmentCsv;
import dev.uplift.cli.enrolment.EnrolmentTarget;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Devices in a table of hosts, in the format of `enrol --csv`: the hosts of a device are upgraded in the order of
/// their lines.
final class DeviceCsv {
  private DeviceCsv() {}

  /// A device to store.
  ///
  /// @param source its first line, for messages
  record Row(String source, String device, ObjectNode body) {}

  /// Reads all devices before any request.
  ///
  /// @param options zone of all devices, and labels that they have beside those of their lines
  static List<Row> read(Path file, DeviceOptions options) {
    if (options.hosts != null) {
      throw CliException.usageError("--host: the hosts are in " + file);
    }
    Map<String, List<EnrolmentTarget>> hostsByDevice = new LinkedHashMap<>();
    for (EnrolmentTarget target : EnrolmentCsv.read(file)) {
      hostsByDevice.computeIfAbsent(target.device(), _ -> new ArrayList<>()).add(target);
    }
    return hostsByDevice.entrySet().stream()
        .map(entry -> new Row(entry.getValue().getFirst().source(), entry.getKey(), body(entry.getValue(), options)))
        .toList();
  }

  private static ObjectNode body(List<EnrolmentTarget> hosts, DeviceOptions options) {
    ObjectNode body = options.patchBody(List.of());
    hosts.forEach(host -> host.labels().forEach(body.withObjectProperty("labels")::put));
    ArrayNode names = body.putArray("hosts");
    hosts.forEach(host -> names.add(host.host()));
    return body;
  }

  /// Sends one after the other and returns the responses. Stops at the first refusal, and says where.
  static ArrayNode sendAll(List<Row> rows, Function<Row, JsonNode> send) {
    ArrayNode stored = RestClient.JSON.createArrayNode();
    for (Row row : rows) {
      try {
        stored.add(send.apply(row));
      } catch (CliException failed) {
        String rest = "; %d of %d devices are stored".formatted(stored.size(), rows.size());
        throw new CliException(failed.exitCode(), row.source() + ": " + failed.getMessage() + rest, failed);
      }
    }
    return stored;
  }
}
