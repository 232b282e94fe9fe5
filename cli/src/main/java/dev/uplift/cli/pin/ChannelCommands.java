package dev.uplift.cli.pin;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// Channels of packages.
@Command(
    name = "channel",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Channels of packages: names, such as stable, that point at a release.")
public final class ChannelCommands {
  private static final JsonTable TABLE =
      new JsonTable()
          .column("PACKAGE", "package")
          .column("CHANNEL", "channel")
          .column("VERSION", "version")
          .column("MOVED", "moved_at")
          .column("BY", "moved_by")
          .column("REVISION", "revision");

  @Command(name = "list", description = "List the channels of a package.")
  int list(@Mixin ServerOptions server, @Parameters(paramLabel = "PACKAGE") String packageName) {
    return server.printAll(path(packageName), Map.of(), TABLE);
  }

  @Command(name = "show", description = "Show a channel of a package.")
  int show(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "PACKAGE") String packageName,
      @Parameters(paramLabel = "CHANNEL") String channel) {
    return server.print(rest -> rest.get(path(packageName, channel)), TABLE);
  }

  @Command(
      name = "move",
      sortOptions = false,
      description = "Point a channel at a published release; creates the channel if it is new.")
  int move(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "PACKAGE") String packageName,
      @Parameters(paramLabel = "CHANNEL") String channel,
      @Parameters(paramLabel = "VERSION") String version,
      @Option(names = "--new", description = "Only if there is no such channel yet.") boolean isNew,
      @Mixin ChangeOptions change) {
    ObjectNode body = new RequestFields().put("version", version).json();
    String path = path(packageName, channel) + change.query();
    return server.print(rest -> rest.send("PUT", path, body, change.headers(isNew)), TABLE);
  }

  @Command(name = "remove", description = "Remove a channel; its release stays.")
  int remove(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "PACKAGE") String packageName,
      @Parameters(paramLabel = "CHANNEL") String channel,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This removes the channel %s of %s".formatted(channel, packageName), change.dryRun());
    return server.print(
        rest -> rest.delete(path(packageName, channel) + change.query(), change.headers()),
        change.result("%s has no channel %s".formatted(packageName, channel)));
  }

  private static String path(String packageName) {
    return "packages/%s/channels".formatted(RestClient.pathSegment(packageName));
  }

  private static String path(String packageName, String channel) {
    return path(packageName) + "/" + RestClient.pathSegment(channel);
  }
}
