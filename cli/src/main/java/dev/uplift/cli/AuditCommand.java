package dev.uplift.cli;

import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.text.JsonTable;
import dev.uplift.cli.text.TextFormat;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The audit log.
@Command(name = "audit", description = "Show the audit log, newest first.")
final class AuditCommand implements Callable<Integer> {
  private static final int MAX_DETAIL_CHARS = 100;

  // Details hold whole roots and releases; `--json` prints them.
  private static final JsonTable TABLE =
      new JsonTable()
          .column("AT", "occurred_at")
          .column("ACTOR", "actor")
          .column("ACTION", "action")
          .column("TARGET", "target")
          .column("DETAIL", entry -> TextFormat.truncate(entry.path("detail").asString(""), MAX_DETAIL_CHARS));

  @Mixin private ServerOptions server = new ServerOptions();

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      defaultValue = "",
      description = "Only of this target: device/gate, rollout/north, upgrade/u-1.")
  private String target = "";

  @Override
  public Integer call() {
    return server.printAll("audit", Map.of("target", target), TABLE);
  }
}
