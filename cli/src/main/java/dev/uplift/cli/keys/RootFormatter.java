package dev.uplift.cli.keys;

import dev.uplift.cli.text.Table;
import dev.uplift.protocol.TrustRoot;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Formats trust roots as tables.
final class RootFormatter {
  private RootFormatter() {}

  static String of(RootFolder folder) {
    Table table = new Table("VERSION", "EXPIRES", "ROLE", "THRESHOLD", "KEYS", "SIGNED");
    for (long version : folder.versions()) {
      TrustRoot trustRoot = folder.root(version);
      String missing = folder.missingSignatures(version);
      trustRoot
          .roles()
          .forEach((role, roleKeys) ->
              table.addRow(
                  Long.toString(version),
                  trustRoot.expiresAt().toString(),
                  role.wireName(),
                  Integer.toString(roleKeys.threshold()),
                  String.join(" ", roleKeys.keys()),
                  missing.isEmpty() ? "yes" : missing));
    }
    return table.toString();
  }

  /// Formats a root of the server.
  static String of(JsonNode root) {
    Table table = new Table("VERSION", "EXPIRES", "ROLE", "THRESHOLD", "KEYS");
    for (Map.Entry<String, JsonNode> role : root.path("roles").properties()) {
      table.addRow(
          root.path("version").asString(""),
          root.path("expires_at").asString(""),
          role.getKey(),
          role.getValue().path("threshold").asString(""),
          String.join(" ", role.getValue().path("keys").valueStream().map(JsonNode::asString).toList()));
    }
    return table + warning(root);
  }

  static String publishedLine(JsonNode root) {
    return "version " + root.path("version").asString("?") + " is published" + warning(root);
  }

  private static String warning(JsonNode root) {
    return root.has("roles") && !root.has("command_key")
        ? "\nthe server has none of its command keys: hosts will reject its commands"
        : "";
  }
}
