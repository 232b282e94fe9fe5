package dev.uplift.cli.upgrade;

import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.cli.text.PrintableJson;
import dev.uplift.cli.text.TextFormat;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// Prints what the steps of an upgrade have logged on their hosts.
@Command(
    name = "log",
    sortOptions = false,
    description = {
      "Print the logs of the steps of an upgrade: the last 8 KiB of each, as the agent sent them with its answer.",
      "A step that has not been answered has none yet."
    })
final class UpgradeLogCommand implements Callable<Integer> {
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  @Mixin private ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "ID", description = "The upgrade.")
  private String id = "";

  @Option(names = "--host", paramLabel = "HOST", defaultValue = "", description = "Only of this host.")
  private String host = "";

  @Option(
      names = "--step",
      paramLabel = "STEP",
      defaultValue = "",
      description = "Only of this step: prepare, upgrade, reboot, commit, rollback.")
  private String step = "";

  @Option(names = "--follow", description = "Print further logs as they arrive, until the upgrade has ended.")
  private boolean follow;

  @Override
  public Integer call() {
    try (RestClient rest = server.connect()) {
      if (follow) {
        follow(rest);
      } else {
        server.output().printResult(fetch(rest), UpgradeLogCommand::format);
      }
    }
    return 0;
  }

  private void follow(RestClient rest) {
    Set<String> printed = new HashSet<>();
    boolean hasEnded = false;
    while (!hasEnded) {
      try {
        // In this order: of an upgrade that has ended, every log is there.
        hasEnded = UpgradeResponse.of(rest.get(path())).hasEnded();
        printNew(fetch(rest), printed);
      } catch (CliException failed) {
        if (failed.exitCode() != CliException.UNREACHABLE) {
          throw failed;
        }
      }
      if (!hasEnded) {
        Sleeper.sleep(POLL_INTERVAL);
      }
    }
  }

  private void printNew(ArrayNode logs, Set<String> printed) {
    for (JsonNode log : logs) {
      if (printed.add(text(log, "command") + " " + text(log, "at"))) {
        print(log);
      }
    }
  }

  private void print(JsonNode log) {
    if (server.output().asJson) {
      server.output().printJsonLine(log);
    } else {
      server.output().printLine(formatOne(PrintableJson.of(log)));
    }
  }

  private ArrayNode fetch(RestClient rest) {
    return rest.getAll(path() + "/log", Map.of("host", host, "step", step));
  }

  private String path() {
    return "upgrades/" + RestClient.pathSegment(id);
  }

  private static String format(JsonNode logs) {
    return logs.isEmpty()
        ? "no step has sent a log, or it is older than logs are kept"
        : logs.valueStream().map(UpgradeLogCommand::formatOne).collect(Collectors.joining("\n\n"));
  }

  private static String formatOne(JsonNode log) {
    String heading =
        "%s %s: %s at %s".formatted(text(log, "host"), text(log, "step"), text(log, "result"), text(log, "at"));
    return heading + "\n" + TextFormat.indent(text(log, "log"));
  }

  private static String text(JsonNode json, String field) {
    return json.path(field).asString("");
  }
}
