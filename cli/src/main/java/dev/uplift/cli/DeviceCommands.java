package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// What is upgraded: sites of 1 to 64 hosts.
@Command(
    name = "device",
    synopsisSubcommandLabel = "COMMAND",
    description = "Adds devices, changes them, shows them, keeps them from being upgraded.")
final class DeviceCommands {
  @Command(
      name = "put",
      sortOptions = false,
      description = "Adds a device, or makes it what is said here.")
  int put(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin DeviceWishes wishes,
      @Mixin WindowWishes windows,
      @Option(names = "--new", description = "Only if there is no such device yet.") boolean isNew,
      @Mixin Match match,
      @Mixin DryRun dryRun) {
    ObjectNode body = wishes.whole();
    windows.list().ifPresent(list -> body.set("windows", list));
    Map<String, String> headers = WindowCommands.headers(match, isNew);
    return send(connection, output, "PUT", path(device) + dryRun.query(), body, headers);
  }

  @Command(
      name = "change",
      sortOptions = false,
      description = "Changes what is said here of a device, and nothing else.")
  int change(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin DeviceWishes wishes,
      @Mixin WindowWishes windows,
      @Option(names = "--no-windows", description = "It has none of its own any more.")
          boolean noWindows,
      @Option(names = "--no-label", paramLabel = "NAME", description = "May be repeated.")
          @Nullable List<String> noLabels,
      @Mixin Match match,
      @Mixin DryRun dryRun) {
    ObjectNode body = wishes.part(noLabels == null ? List.of() : noLabels);
    windows.list().ifPresent(list -> body.set("windows", list));
    if (noWindows) {
      body.putNull("windows");
    }
    String path = path(device) + dryRun.query();
    return send(connection, output, "PATCH", path, body, match.headers());
  }

  private static int send(
      Connection connection,
      Output output,
      String method,
      String path,
      ObjectNode body,
      Map<String, String> headers) {
    try (Rest rest = connection.open()) {
      output.show(rest.send(method, path, body, headers), DeviceText::lines);
    }
    return 0;
  }

  @Command(name = "list", sortOptions = false, description = "All devices.")
  int list(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin FilterWish filter,
      @Option(
              names = "--label",
              paramLabel = "NAME=VALUE",
              description = "Only those that have it; may be repeated.")
          @Nullable Map<String, String> labels,
      @Option(
              names = "--package",
              paramLabel = "NAME",
              defaultValue = "",
              description = "With --version: only those that run it.")
          String name,
      @Option(
              names = "--version",
              paramLabel = "VERSION",
              defaultValue = "",
              description = "With --package; may be unknown.")
          String version) {
    Map<String, String> wanted =
        Map.of(
            "labels",
            labels == null ? "" : DeviceText.labels(labels),
            "package",
            name,
            "version",
            version,
            "filter",
            filter.expression);
    try (Rest rest = connection.open()) {
      output.show(rest.all("devices", wanted), DeviceText::table);
    }
    return 0;
  }

  @Command(name = "versions", description = "How many devices run which version of a package.")
  int versions(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "PACKAGE") String name) {
    try (Rest rest = connection.open()) {
      output.show(rest.get("versions?package=" + Rest.segment(name)), DeviceText::versions);
    }
    return 0;
  }

  @Command(name = "show", description = "One device.")
  int show(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(path(device)), DeviceText::lines);
    }
    return 0;
  }

  @Command(
      name = "windows",
      description = "When a device may be touched: the next openings, local and UTC.")
  int windows(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(
              names = "--next",
              defaultValue = "3",
              paramLabel = "COUNT",
              description = "How many; default: ${DEFAULT-VALUE}.")
          int next) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(path(device) + "/windows?next=" + next), DeviceText::openings);
    }
    return 0;
  }

  @Command(name = "hold", description = "Keeps a device from being upgraded.")
  int hold(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(names = "--reason", required = true, paramLabel = "TEXT") String reason,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "Such as 2026-12-24T18:00:00Z; default: until released.")
          @Nullable String until,
      @Mixin Match match,
      @Mixin DryRun dryRun) {
    ObjectNode body = Rest.JSON.createObjectNode().put("reason", reason);
    if (until != null) {
      body.put("until", until);
    }
    String path = path(device) + "/hold" + dryRun.query();
    return send(connection, output, "POST", path, body, match.headers());
  }

  @Command(name = "release", description = "Ends a hold.")
  int release(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin Match match,
      @Mixin DryRun dryRun) {
    try (Rest rest = connection.open()) {
      output.show(
          rest.delete(path(device) + "/hold" + dryRun.query(), match.headers()), DeviceText::lines);
    }
    return 0;
  }

  @Command(name = "delete", description = "Forgets a device; its upgrades stay in the records.")
  int delete(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Mixin Match match,
      @Mixin DryRun dryRun,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This forgets the device " + device, dryRun);
    try (Rest rest = connection.open()) {
      output.show(
          rest.delete(path(device) + dryRun.query(), match.headers()),
          _ -> dryRun.said(device + " is gone"));
    }
    return 0;
  }

  private static String path(String device) {
    return "devices/" + Rest.segment(device);
  }
}
