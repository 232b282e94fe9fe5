package dev.uplift.cli.pin;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// Pins of packages on devices.
@Command(
    name = "pin",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Pin packages of devices to a version, or hold them as they are.",
      "To hold a whole device: `device hold`, `device hold-all`."
    })
public final class PinCommands {
  private static final JsonTable TABLE =
      new JsonTable()
          .column("PACKAGE", "package")
          .column("PINNED", pin -> pin.path("version").asString("held"))
          .column("REASON", "reason")
          .column("BY", "actor")
          .column("ON HOST", "host")
          .column("SINCE", "since")
          .column("UNTIL", "until");

  @Command(name = "list", description = "List the pins of a device that are in force.")
  int list(@Mixin ServerOptions server, @Parameters(paramLabel = "DEVICE") String device) {
    return server.printAll(path(device), Map.of(), TABLE);
  }

  @Command(name = "show", description = "Show the pin of a package on a device, as an operator set it.")
  int show(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Parameters(paramLabel = "PACKAGE") String packageName) {
    return server.print(rest -> rest.get(path(device, packageName)), TABLE);
  }

  @Command(
      name = "set",
      sortOptions = false,
      description = "Pin a package of a device to a version, or hold it; replaces an earlier pin.")
  int set(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Parameters(paramLabel = "PACKAGE") String packageName,
      @Option(names = "--version", paramLabel = "VERSION", description = "The only version that may be installed.")
          @Nullable String version,
      @Option(names = "--hold", description = "No version may be installed.") boolean hold,
      @Option(names = "--reason", required = true, paramLabel = "TEXT") String reason,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "End of the pin, such as 2026-12-24T18:00:00Z; default: until removed.")
          @Nullable String until,
      @Option(names = "--new", description = "Only if there is no such pin yet.") boolean isNew,
      @Mixin ChangeOptions change) {
    if (hold == (version != null)) {
      throw CliException.usageError("needs --version or --hold");
    }
    ObjectNode body =
        new RequestFields().put("version", version).put("hold", hold).put("reason", reason).put("until", until).json();
    String path = path(device, packageName) + change.query();
    return server.print(rest -> rest.send("PUT", path, body, change.headers(isNew)), TABLE);
  }

  @Command(name = "remove", description = "Remove the pin of a package on a device.")
  int remove(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Parameters(paramLabel = "PACKAGE") String packageName,
      @Mixin ChangeOptions change) {
    return server.print(
        rest -> rest.delete(path(device, packageName) + change.query(), change.headers()),
        change.result("the pin of %s on %s is removed".formatted(packageName, device)));
  }

  private static String path(String device) {
    return "devices/%s/pins".formatted(RestClient.pathSegment(device));
  }

  private static String path(String device, String packageName) {
    return path(device) + "/" + RestClient.pathSegment(packageName);
  }
}
