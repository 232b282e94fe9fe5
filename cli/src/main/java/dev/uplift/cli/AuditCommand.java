package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// Who did what.
@Command(name = "audit", description = "Who did what, when and to what, newest first.")
final class AuditCommand implements Callable<Integer> {
  private static final int MOST = 100;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Option(
      names = "--target",
      paramLabel = "WHAT",
      defaultValue = "",
      description = "Only of this: device/gate, rollout/north, upgrade/u-1.")
  private String target = "";

  @Override
  public Integer call() {
    try (Rest rest = connection.open()) {
      output.show(rest.all("audit", Map.of("target", target)), AuditCommand::table);
    }
    return 0;
  }

  private static String table(JsonNode entries) {
    Table table = new Table("AT", "WHO", "ACTION", "TARGET", "DETAIL");
    for (JsonNode entry : entries) {
      table.row(
          entry.path("at").asString(""),
          entry.path("who").asString(entry.path("by").asString("")),
          entry.path("action").asString(""),
          entry.path("target").asString(""),
          cut(entry.path("detail").asString("")));
    }
    return table.toString();
  }

  /// Roots and releases are kept whole; `--json` has them.
  private static String cut(String detail) {
    return detail.length() <= MOST ? detail : detail.substring(0, MOST - 1) + "…";
  }
}
