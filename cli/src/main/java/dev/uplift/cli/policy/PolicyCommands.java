package dev.uplift.cli.policy;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.DeviceSelectionOptions;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// Rules that roll releases out by themselves.
@Command(
    name = "policy",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Standing rules about the version of a package, which roll releases out by themselves.")
public final class PolicyCommands {
  @Command(name = "list", description = "List all policies.")
  int list(@Mixin ServerOptions server) {
    return server.printAll("policies", Map.of(), PolicyFormatter.LIST);
  }

  @Command(name = "show", description = "Show a policy.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name) {
    return server.print(rest -> rest.get(path(name)), PolicyFormatter::details);
  }

  @Command(
      name = "put",
      sortOptions = false,
      description = {
        "Create a policy, or replace it. A new one does nothing until `policy enable`.",
        "With --dry-run: what it would do if it were enabled now."
      })
  int put(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin PolicyOptions options,
      @Option(names = "--new", description = "Only if there is no such policy yet.") boolean isNew,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    ObjectNode body = options.toJson();
    if (!body.has("target")) {
      throw CliException.usageError("needs --version, --at-least, --channel, --offered, or --policy with a target");
    }
    confirmEverything(body, change, confirmation);
    return server.print(
        rest -> rest.send("PUT", path(name) + change.query(), body, change.headers(isNew)), PolicyFormatter::changed);
  }

  @Command(
      name = "update",
      sortOptions = false,
      description = {
        "Change the given properties of a policy only.",
        "With --dry-run: what it would do if it were enabled now."
      })
  int update(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin PolicyOptions options,
      @Option(names = "--no-cron", description = "Begin in no runs, but whenever something is due.") boolean noCron,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    ObjectNode body = options.toPatch();
    if (noCron) {
      body.putNull("cron").putNull("cron_zone");
    }
    confirmEverything(body, change, confirmation);
    return server.print(
        rest -> rest.send("PATCH", path(name) + change.query(), body, change.headers()), PolicyFormatter::changed);
  }

  private static void confirmEverything(ObjectNode body, ChangeOptions change, ConfirmationOption confirmation) {
    if (DeviceSelectionOptions.isEverything(body)) {
      confirmation.confirm("The policy may apply to all devices", change.dryRun());
    }
  }

  @Command(
      name = "enable",
      description = {"Have a policy begin what is due, and go on with it.", "With --dry-run: what it would do now."})
  int enable(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name, @Mixin ChangeOptions change) {
    return act(server, name, "enable", change);
  }

  @Command(name = "disable", description = "Have a policy begin nothing more. What has begun on devices ends.")
  int disable(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name, @Mixin ChangeOptions change) {
    return act(server, name, "disable", change);
  }

  private static int act(ServerOptions server, String name, String action, ChangeOptions change) {
    return server.print(
        rest ->
            rest.send(
                "POST",
                path(name) + "/" + action + change.query(),
                RestClient.JSON.createObjectNode(),
                change.headers()),
        PolicyFormatter::changed);
  }

  @Command(name = "delete", description = "Delete a policy. What has begun on devices ends.")
  int delete(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This deletes the policy " + name, change.dryRun());
    return server.print(
        rest -> rest.delete(path(name) + change.query(), change.headers()), change.result(name + " is deleted"));
  }

  @Command(name = "status", description = "Show how a policy stands, and why devices are not as it asks.")
  int status(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name) {
    return server.print(rest -> rest.get(path(name) + "/status"), PolicyFormatter::status);
  }

  @Command(name = "applies-to", description = "List the devices that a policy applies to.")
  int appliesTo(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name) {
    return server.printAll(path(name) + "/applies-to", Map.of(), PolicyFormatter.DEVICES);
  }

  @Command(name = "device", description = "List the policies that apply to a device.")
  int device(@Mixin ServerOptions server, @Parameters(paramLabel = "DEVICE") String device) {
    return server.printAll(
        "devices/" + RestClient.pathSegment(device) + "/policies", Map.of(), PolicyFormatter.OF_DEVICE);
  }

  private static String path(String name) {
    return "policies/" + RestClient.pathSegment(name);
  }
}
