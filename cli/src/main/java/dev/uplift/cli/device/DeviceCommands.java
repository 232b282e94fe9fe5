package dev.uplift.cli.device;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.FilterOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.window.WindowOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Devices: sites of 1 to 64 hosts, which are upgraded together.
@Command(
    name = "device",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Add, change, show, hold and delete devices.")
public final class DeviceCommands {
  @Command(
      name = "put",
      sortOptions = false,
      description = {
        "Add a device, or replace it.",
        "With --csv all devices of a file: lines device,host[,label=value...], a line for each host."
      })
  int put(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE", arity = "0..1", defaultValue = "") String device,
      @Option(names = "--csv", paramLabel = "FILE", description = "The devices and their hosts; not with DEVICE.")
          @Nullable Path csv,
      @Mixin DeviceOptions deviceOptions,
      @Mixin WindowOptions windows,
      @Option(names = "--new", description = "Only if there is no such device yet.") boolean isNew,
      @Mixin ChangeOptions change) {
    if (device.isEmpty() == (csv == null)) {
      throw CliException.usageError("needs DEVICE, or --csv");
    }
    List<DeviceCsv.Row> rows =
        csv == null
            ? List.of(new DeviceCsv.Row("", device, deviceOptions.fullBody()))
            : DeviceCsv.read(csv, deviceOptions);
    rows.forEach(row -> windows.toJson().ifPresent(list -> row.body().set("windows", list)));
    try (RestClient rest = server.connect()) {
      if (csv == null) {
        server.output().printResult(put(rest, rows.getFirst(), isNew, change), DeviceFormatter::details);
      } else {
        ArrayNode stored = DeviceCsv.sendAll(rows, row -> put(rest, row, isNew, change));
        server
            .output()
            .printResult(
                stored, list -> change.dryRun().resultText("stored: " + TextFormat.count(list.size(), "device")));
      }
    }
    return 0;
  }

  private static JsonNode put(RestClient rest, DeviceCsv.Row row, boolean isNew, ChangeOptions change) {
    return rest.send("PUT", path(row.device()) + change.query(), row.body(), change.headers(isNew));
  }

  @Command(name = "update", sortOptions = false, description = "Change the given properties of a device only.")
  int update(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin DeviceOptions deviceOptions,
      @Mixin WindowOptions windows,
      @Option(names = "--no-windows", description = "Remove its own windows.") boolean noWindows,
      @Option(names = "--no-label", paramLabel = "NAME", description = "Remove this label. May be repeated.")
          @Nullable List<String> noLabels,
      @Mixin ChangeOptions change) {
    ObjectNode body = deviceOptions.patchBody(noLabels == null ? List.of() : noLabels);
    windows.toJson().ifPresent(list -> body.set("windows", list));
    if (noWindows) {
      body.putNull("windows");
    }
    String path = path(device) + change.query();
    return server.print(rest -> rest.send("PATCH", path, body, change.headers()), DeviceFormatter::details);
  }

  @Command(name = "list", sortOptions = false, description = "List devices.")
  int list(
      @Mixin ServerOptions server,
      @Mixin FilterOption filter,
      @Option(
              names = "--label",
              paramLabel = "NAME=VALUE",
              description = "Only devices with this label; may be repeated.")
          @Nullable Map<String, String> labels,
      @Option(
              names = "--package",
              paramLabel = "NAME",
              defaultValue = "",
              description = "With --version: only devices that run it.")
          String name,
      @Option(
              names = "--version",
              paramLabel = "VERSION",
              defaultValue = "",
              description = "With --package; may be unknown.")
          String version) {
    String selector = labels == null ? "" : DeviceFormatter.labels(labels);
    return server.printAll(
        "devices",
        Map.of("labels", selector, "package", name, "version", version, "filter", filter.expression),
        DeviceFormatter.TABLE);
  }

  @Command(name = "versions", description = "Count devices by version of a package.")
  int versions(@Mixin ServerOptions server, @Parameters(paramLabel = "PACKAGE") String name) {
    String path = "versions?package=" + RestClient.pathSegment(name);
    return server.print(rest -> rest.get(path), DeviceFormatter::versions);
  }

  @Command(name = "version-history", description = "Count hosts by version of a package, day by day.")
  int versionHistory(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "PACKAGE") String name,
      @Option(names = "--days", paramLabel = "N", defaultValue = "30", description = "How many days, 1 to 400.")
          int days) {
    String path = "versions/history?package=" + RestClient.pathSegment(name) + "&days=" + days;
    return server.print(rest -> rest.get(path), DeviceFormatter::versionHistory);
  }

  @Command(name = "show", description = "Show one device.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = "DEVICE") String device) {
    return server.print(rest -> rest.get(path(device)), DeviceFormatter::details);
  }

  @Command(name = "windows", description = "Show the next windows of a device, in local time and UTC.")
  int windows(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(
              names = "--count",
              defaultValue = "3",
              paramLabel = "COUNT",
              description = "How many; default: ${DEFAULT-VALUE}.")
          int count) {
    String path = path(device) + "/windows?count=" + count;
    return server.print(rest -> rest.get(path), DeviceFormatter::windowOpenings);
  }

  @Command(name = "hold", description = "Hold a device: no upgrade starts on it.")
  int hold(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(names = "--reason", required = true, paramLabel = "TEXT") String reason,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "End of the hold, such as 2026-12-24T18:00:00Z; default: until released.")
          @Nullable String until,
      @Mixin ChangeOptions change) {
    ObjectNode body = new RequestFields().put("reason", reason).put("until", until).json();
    String path = path(device) + "/hold" + change.query();
    return server.print(rest -> rest.send("POST", path, body, change.headers()), DeviceFormatter::details);
  }

  @Command(name = "release", description = "End a hold.")
  int release(
      @Mixin ServerOptions server, @Parameters(paramLabel = "DEVICE") String device, @Mixin ChangeOptions change) {
    String path = path(device) + "/hold" + change.query();
    return server.print(rest -> rest.delete(path, change.headers()), DeviceFormatter::details);
  }

  @Command(
      name = "hold-all",
      sortOptions = false,
      description = "Hold all devices that an expression selects now, or none of them.")
  int holdAll(
      @Mixin ServerOptions server,
      @Mixin SelectionOptions selection,
      @Option(names = "--reason", required = true, paramLabel = "TEXT") String reason,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "End of the holds, such as 2026-12-24T18:00:00Z; default: until released.")
          @Nullable String until,
      @Mixin DryRunOption dryRun) {
    ObjectNode body = selection.fields().put("reason", reason).put("until", until).json();
    return server.print(
        rest -> rest.send("POST", "holds" + dryRun.query(), body), changed -> changedDevices(changed, dryRun, "held"));
  }

  @Command(
      name = "release-all",
      sortOptions = false,
      description = "End the holds of all devices that an expression selects now.")
  int releaseAll(@Mixin ServerOptions server, @Mixin SelectionOptions selection, @Mixin DryRunOption dryRun) {
    ObjectNode body = selection.fields().json();
    return server.print(
        rest -> rest.send("POST", "holds/end" + dryRun.query(), body),
        changed -> changedDevices(changed, dryRun, "released"));
  }

  private static String changedDevices(JsonNode changed, DryRunOption dryRun, String how) {
    int devices = changed.path("devices").asInt(0);
    String are = devices == 1 ? "is" : "are";
    return "%s %s %s".formatted(TextFormat.count(devices, "device"), dryRun.enabled ? "would be" : are, how);
  }

  @Command(
      name = "clear-failures",
      sortOptions = false,
      description = "Let rollouts take a device again on which a release has failed.")
  int clearFailures(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin FailureOptions failures,
      @Mixin DryRunOption dryRun) {
    ObjectNode body = failures.addTo(new RequestFields()).json();
    String path = path(device) + "/clear-failures" + dryRun.query();
    return server.print(
        rest -> rest.send("POST", path, body),
        response -> dryRun.resultText("cleared on %s: %s".formatted(device, failures.clearedText(response))));
  }

  @Command(
      name = "clear-failures-all",
      sortOptions = false,
      description =
          "Let rollouts take devices again on which a release has failed: all that an expression selects now.")
  int clearFailuresAll(
      @Mixin ServerOptions server,
      @Mixin SelectionOptions selection,
      @Mixin FailureOptions failures,
      @Mixin DryRunOption dryRun) {
    ObjectNode body = failures.addTo(selection.fields()).json();
    return server.print(
        rest -> rest.send("POST", "clear-failures" + dryRun.query(), body),
        response ->
            "%s: %s".formatted(dryRun.enabled ? "would be cleared" : "cleared", failures.clearedText(response)));
  }

  @Command(name = "delete", description = "Delete a device; the records of its upgrades stay.")
  int delete(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This deletes the device " + device, change.dryRun());
    return server.print(
        rest -> rest.delete(path(device) + change.query(), change.headers()), change.result(device + " is deleted"));
  }

  private static String path(String device) {
    return "devices/" + RestClient.pathSegment(device);
  }
}
