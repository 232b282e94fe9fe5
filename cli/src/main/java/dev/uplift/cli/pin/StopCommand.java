package dev.uplift.cli.pin;

import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.text.TextFormat;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The stop of a tenant.
@Command(
    name = "stop",
    sortOptions = false,
    description = {
      "Stop the tenant: nothing new begins in it, and what is in work goes to its end.",
      "Without --reason and --end: show whether it is stopped."
    })
public final class StopCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Option(names = "--reason", paramLabel = "TEXT", description = "Stop the tenant, for this reason.")
  private @Nullable String reason;

  @Option(names = "--end", description = "End the stop.")
  private boolean isEnd;

  @Mixin private DryRunOption dryRun = new DryRunOption();

  @Override
  public Integer call() {
    if (isEnd && reason != null) {
      throw CliException.usageError("expected --reason or --end, not both");
    }
    String path = "stop" + dryRun.query();
    if (isEnd) {
      return server.print(rest -> rest.delete(path), _ -> dryRun.resultText("the stop has ended"));
    }
    if (reason == null) {
      return server.print(rest -> rest.get("stop"), StopCommand::describe);
    }
    ObjectNode body = new RequestFields().put("reason", reason).json();
    return server.print(rest -> rest.send("PUT", path, body), StopCommand::describe);
  }

  private static String describe(JsonNode stop) {
    return stop.path("stopped").asBoolean(false)
        ? "stopped by %s since %s: %s"
            .formatted(
                stop.path("actor").asString(""),
                TextFormat.time(stop.path("since").asString("")),
                stop.path("reason").asString(""))
        : "not stopped";
  }
}
