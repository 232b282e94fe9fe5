package dev.uplift.cli;

import dev.uplift.cli.keys.RootFolder;
import dev.uplift.cli.text.Table;
import dev.uplift.protocol.Root;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Roots for people to read.
final class RootText {
  private RootText() {}

  static String of(RootFolder folder) {
    Table table = new Table("VERSION", "EXPIRES", "ROLE", "NEEDS", "KEYS", "SIGNED");
    for (long version : folder.versions()) {
      Root root = folder.root(version);
      String missing = folder.missing(version);
      root.roles()
          .forEach((role, holders) ->
              table.row(
                  Long.toString(version),
                  root.expiresAt().toString(),
                  role.word(),
                  Integer.toString(holders.threshold()),
                  String.join(" ", holders.keys()),
                  missing.isEmpty() ? "yes" : missing));
    }
    return table.toString();
  }

  /// As the server has it.
  static String of(JsonNode root) {
    Table table = new Table("VERSION", "EXPIRES", "ROLE", "NEEDS", "KEYS");
    for (Map.Entry<String, JsonNode> role : root.path("roles").properties()) {
      table.row(
          root.path("version").asString(""),
          root.path("expires_at").asString(""),
          role.getKey(),
          role.getValue().path("threshold").asString(""),
          role.getValue()
              .path("keys")
              .valueStream()
              .map(JsonNode::asString)
              .collect(Collectors.joining(" ")));
    }
    return table + warning(root);
  }

  static String published(JsonNode root) {
    return "version " + root.path("version").asString("?") + " is published" + warning(root);
  }

  private static String warning(JsonNode root) {
    return root.has("roles") && !root.has("command_key")
        ? "\nthe server has none of its command keys: hosts will not believe what it says"
        : "";
  }
}
