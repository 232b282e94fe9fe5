package dev.uplift.cli;

import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// The audit log.
@Command(name = "audit", description = "Show the audit log, newest first.")
final class AuditCommand implements Callable<Integer> {
  private static final int MAX_DETAIL_CHARS = 100;

  @Mixin private ConnectionOptions connection = new ConnectionOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      defaultValue = "",
      description = "Only of this target: device/gate, rollout/north, upgrade/u-1.")
  private String target = "";

  @Override
  public Integer call() {
    try (RestClient restClient = connection.connect()) {
      output.printResult(restClient.getAll("audit", Map.of("target", target)), AuditCommand::table);
    }
    return 0;
  }

  private static String table(JsonNode entries) {
    Table table = new Table("AT", "ACTOR", "ACTION", "TARGET", "DETAIL");
    for (JsonNode entry : entries) {
      table.addRow(
          entry.path("occurred_at").asString(""),
          entry.path("actor").asString(""),
          entry.path("action").asString(""),
          entry.path("target").asString(""),
          truncate(entry.path("detail").asString("")));
    }
    return table.toString();
  }

  /// Details hold whole roots and releases; `--json` prints them.
  private static String truncate(String detail) {
    return detail.length() <= MAX_DETAIL_CHARS
        ? detail
        : detail.substring(0, MAX_DETAIL_CHARS - 1) + "…";
  }
}
