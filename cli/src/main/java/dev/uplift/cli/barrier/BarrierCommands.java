package dev.uplift.cli.barrier;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.DeviceSelectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import dev.uplift.cli.text.TextFormat;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Halts a package on many hosts for a migration.
@Command(
    name = "barrier",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Halt a package on many hosts, migrate something that they share, and have them resume.")
public final class BarrierCommands {
  private static final JsonTable TABLE =
      new JsonTable()
          .column("NAME", "name")
          .column("PACKAGE", "package")
          .column("STATE", "state")
          .column("OUTCOME", "outcome")
          .column("CREATED", "created_at")
          .column("BY", "created_by");

  private static final JsonTable HOSTS =
      new JsonTable()
          .column("HOST", "host")
          .column("DEVICE", "device")
          .column("STATE", "state")
          .column("SINCE", "since")
          .column("DETAIL", "detail");

  private static final int NAME_CHARS = 12;

  @Command(
      name = "start",
      sortOptions = false,
      description = {
        "Tell the hosts of the selected devices to halt. Prints the name of the barrier.",
        "With --dry-run: how many would halt."
      })
  int start(
      @Mixin ServerOptions server,
      @Option(
              names = "--name",
              paramLabel = "NAME",
              description = "Name of the barrier; a repeat with the same name starts no second one.")
          @Nullable String name,
      @Mixin BarrierOptions options,
      @Mixin DryRunOption dryRun,
      @Mixin ConfirmationOption confirmation) {
    ObjectNode body = options.toJson();
    if (DeviceSelectionOptions.isEverything(body)) {
      confirmation.confirm("The barrier may halt all devices", dryRun);
    }
    String random = UUID.randomUUID().toString().replace("-", "").substring(0, NAME_CHARS);
    Map<String, String> headers = Map.of("Idempotency-Key", name == null ? "b" + random : name);
    return server.print(
        rest -> rest.send("POST", "barriers" + dryRun.query(), body, headers),
        json -> json.has("sample") ? preview(json) : json.path("name").asString(""));
  }

  @Command(name = "list", description = "List barriers, newest first.")
  int list(
      @Mixin ServerOptions server, @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state) {
    return server.printAll("barriers", Map.of("state", state), TABLE);
  }

  @Command(name = "show", description = "Show a barrier, and the hosts that have not halted.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name) {
    return server.print(rest -> rest.get(path(name)), BarrierCommands::details);
  }

  @Command(name = "hosts", description = "List the hosts of a barrier.")
  int hosts(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state) {
    return server.printAll(path(name) + "/hosts", Map.of("state", state), HOSTS);
  }

  @Command(name = "continue", description = "Say that the migration is done: the hosts resume.")
  int proceed(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--reason", paramLabel = "TEXT") @Nullable String reason,
      @Mixin DryRunOption dryRun) {
    return act(server, name, "continue", reason, dryRun);
  }

  @Command(name = "abort", description = "Have the hosts resume now.")
  int abort(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--reason", paramLabel = "TEXT") @Nullable String reason,
      @Mixin DryRunOption dryRun) {
    return act(server, name, "abort", reason, dryRun);
  }

  private static int act(
      ServerOptions server, String name, String action, @Nullable String reason, DryRunOption dryRun) {
    ObjectNode body = new RequestFields().put("reason", reason).json();
    Map<String, String> headers = Map.of("Idempotency-Key", UUID.randomUUID().toString());
    return server.print(
        rest -> rest.send("POST", path(name) + "/" + action + dryRun.query(), body, headers), BarrierCommands::details);
  }

  private static String preview(JsonNode json) {
    return "would halt (hosts: %d, devices: %d): %s"
        .formatted(json.path("hosts").asInt(0), json.path("devices").asInt(0), JsonTable.join(json.path("sample")));
  }

  private static String details(JsonNode json) {
    JsonNode counts = json.path("counts");
    StringBuilder text = new StringBuilder();
    text.append(
        "%s of %s: %s\n"
            .formatted(
                json.path("name").asString(""),
                json.path("package").asString(""),
                json.has("outcome")
                    ? json.path("state").asString("") + ", " + json.path("outcome").asString("")
                    : json.path("state").asString("")));
    text.append(
        "hosts: %d (%d halted, %d pending, %d missing, %d resumed)"
            .formatted(
                counts.path("hosts").asInt(0),
                counts.path("halted").asInt(0),
                counts.path("pending").asInt(0),
                counts.path("missing").asInt(0),
                counts.path("resumed").asInt(0)));
    if (json.has("message")) {
      text.append('\n').append(json.path("message").asString(""));
    } else {
      text.append(
          "\nto halt by %s; every halted host resumes by itself at %s"
              .formatted(
                  TextFormat.time(json.path("deadline_at").asString("")),
                  TextFormat.time(json.path("until").asString(""))));
    }
    if (!json.path("missing").isEmpty()) {
      text.append("\n\n").append(HOSTS.apply(json.path("missing")));
    }
    return text.toString();
  }

  private static String path(String name) {
    return "barriers/" + RestClient.pathSegment(name);
  }
}
