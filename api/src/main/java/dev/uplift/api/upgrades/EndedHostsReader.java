package dev.uplift.api.upgrades;

import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads the final state of each host from the JSON that the workflow has recorded.
public final class EndedHostsReader {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private EndedHostsReader() {}

  /// Leaves out entries of another version of the server that are not as expected.
  public static List<HostProgressView> read(String json) {
    try {
      return MAPPER.readTree(json).valueStream().map(EndedHostsReader::host).toList();
    } catch (JacksonException _) {
      return List.of();
    }
  }

  private static HostProgressView host(JsonNode json) {
    return new HostProgressView(
        text(json, "host"),
        text(json, "progress"),
        text(json, "version"),
        json.path("version_before").asStringOpt(),
        json.path("skipped").asBoolean(false),
        reason(json.path("reason")),
        Optional.empty());
  }

  private static Optional<ReasonView> reason(JsonNode json) {
    return json.isObject()
        ? Optional.of(new ReasonView(text(json, "kind"), text(json, "code"), text(json, "message")))
        : Optional.empty();
  }

  private static String text(JsonNode json, String field) {
    return json.path(field).asString("");
  }
}
