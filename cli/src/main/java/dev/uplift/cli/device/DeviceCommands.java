package dev.uplift.cli.device;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.FilterOption;
import dev.uplift.cli.option.IfMatchOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.window.WindowOptions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// Devices: sites of 1 to 64 hosts, which are upgraded together.
@Command(
    name = "device",
    synopsisSubcommandLabel = "COMMAND",
    description = "Add, change, show, hold and delete devices.")
public final class DeviceCommands {
  @Command(name = "put", sortOptions = false, description = "Add a device, or replace it.")
  int put(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin DeviceOptions deviceOptions,
      @Mixin WindowOptions windows,
      @Option(names = "--new", description = "Only if there is no such device yet.") boolean isNew,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    ObjectNode body = deviceOptions.fullBody();
    windows.toJson().ifPresent(list -> body.set("windows", list));
    Map<String, String> headers = ifMatchOption.headers(isNew);
    return send(
        connectionOptions,
        outputOptions,
        "PUT",
        path(device) + dryRunOption.query(),
        body,
        headers);
  }

  @Command(
      name = "update",
      sortOptions = false,
      description = "Change the given properties of a device only.")
  int update(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin DeviceOptions deviceOptions,
      @Mixin WindowOptions windows,
      @Option(names = "--no-windows", description = "Remove its own windows.") boolean noWindows,
      @Option(
              names = "--no-label",
              paramLabel = "NAME",
              description = "Remove this label. May be repeated.")
          @Nullable List<String> noLabels,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    ObjectNode body = deviceOptions.patchBody(noLabels == null ? List.of() : noLabels);
    windows.toJson().ifPresent(list -> body.set("windows", list));
    if (noWindows) {
      body.putNull("windows");
    }
    String path = path(device) + dryRunOption.query();
    return send(connectionOptions, outputOptions, "PATCH", path, body, ifMatchOption.headers());
  }

  private static int send(
      ConnectionOptions connectionOptions,
      OutputOptions outputOptions,
      String method,
      String path,
      ObjectNode body,
      Map<String, String> headers) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.send(method, path, body, headers), DeviceFormatter::details);
    }
    return 0;
  }

  @Command(name = "list", sortOptions = false, description = "List devices.")
  int list(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
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
    Map<String, String> query =
        Map.of(
            "labels",
            labels == null ? "" : DeviceFormatter.labels(labels),
            "package",
            name,
            "version",
            version,
            "filter",
            filter.expression);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.getAll("devices", query), DeviceFormatter::table);
    }
    return 0;
  }

  @Command(name = "versions", description = "Count devices by version of a package.")
  int versions(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "PACKAGE") String name) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.get("versions?package=" + RestClient.pathSegment(name)),
          DeviceFormatter::versions);
    }
    return 0;
  }

  @Command(name = "show", description = "Show one device.")
  int show(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "DEVICE") String device) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.get(path(device)), DeviceFormatter::details);
    }
    return 0;
  }

  @Command(
      name = "windows",
      description = "Show the next windows of a device, in local time and UTC.")
  int windows(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(
              names = "--count",
              defaultValue = "3",
              paramLabel = "COUNT",
              description = "How many; default: ${DEFAULT-VALUE}.")
          int count) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.get(path(device) + "/windows?count=" + count),
          DeviceFormatter::windowOpenings);
    }
    return 0;
  }

  @Command(name = "hold", description = "Hold a device: no upgrade starts on it.")
  int hold(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(names = "--reason", required = true, paramLabel = "TEXT") String reason,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description =
                  "End of the hold, such as 2026-12-24T18:00:00Z; default: until released.")
          @Nullable String until,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    ObjectNode body = RestClient.JSON.createObjectNode().put("reason", reason);
    if (until != null) {
      body.put("until", until);
    }
    String path = path(device) + "/hold" + dryRunOption.query();
    return send(connectionOptions, outputOptions, "POST", path, body, ifMatchOption.headers());
  }

  @Command(name = "release", description = "End a hold.")
  int release(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.delete(path(device) + "/hold" + dryRunOption.query(), ifMatchOption.headers()),
          DeviceFormatter::details);
    }
    return 0;
  }

  @Command(name = "delete", description = "Delete a device; the records of its upgrades stay.")
  int delete(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This deletes the device " + device, dryRunOption);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.delete(path(device) + dryRunOption.query(), ifMatchOption.headers()),
          _ -> dryRunOption.resultText(device + " is deleted"));
    }
    return 0;
  }

  private static String path(String device) {
    return "devices/" + RestClient.pathSegment(device);
  }
}
