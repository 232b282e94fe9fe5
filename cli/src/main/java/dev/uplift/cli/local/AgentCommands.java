package dev.uplift.cli.local;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.temporaldev.AgentVersion;
import dev.uplift.temporaldev.HostByHand;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Plays a host of a stack that `uplift up` keeps running.
@Command(
    name = "agent",
    synopsisSubcommandLabel = "COMMAND",
    description = "Plays a host of `uplift up` in a folder: a real agent, started by hand.")
public final class AgentCommands {
  private static final Duration LOOK = Duration.ofMillis(200);

  @Command(
      name = "init",
      sortOptions = false,
      description = "Makes a folder with all that an agent needs; agent.json in it is yours.")
  int init(
      @Parameters(paramLabel = "DIR", description = "Plays the host.") Path folder,
      @Option(names = "--host", required = true, paramLabel = "HOST") String host,
      @Option(
              names = "--package",
              required = true,
              paramLabel = "NAME=KIND",
              description =
                  "Such as shopd=bundle; agent, bundle, script, simulated. May be repeated.")
          Map<String, String> packages,
      @Option(
              names = "--stack",
              paramLabel = "DIR",
              description = "The folder of `uplift up`; default: $UPLIFT_FOLDER.")
          @Nullable Path stack,
      @Option(names = "--tenant", paramLabel = "NAME", description = "Default: $UPLIFT_TENANT.")
          @Nullable String tenant) {
    Map<String, String> environment = System.getenv();
    String from = stack == null ? environment.getOrDefault("UPLIFT_FOLDER", "") : stack.toString();
    String whose = tenant == null ? environment.getOrDefault("UPLIFT_TENANT", "") : tenant;
    if (from.isEmpty() || whose.isEmpty()) {
      throw CommandFailed.usage("needs --stack and --tenant, or: . FOLDER/env of `uplift up`");
    }
    Path config = HostByHand.configure(Path.of(from), folder, whose, host, packages);
    say("host " + host + " of " + whose + ": " + config);
    return 0;
  }

  @Command(
      name = "start",
      description = {
        "Switches the host of a folder on and keeps it running until Ctrl-C.",
        "When its agent reboots it, it comes back by itself."
      })
  int start(@Parameters(paramLabel = "DIR", description = "Made by `init`.") Path folder) {
    try (HostByHand host = HostByHand.open(folder)) {
      host.start();
      say("the agent's launcher is process " + host.pid() + "; their log: " + host.log());
      String boot = host.bootId();
      while (host.isOn()) {
        Pause.of(LOOK);
        if (!boot.equals(host.bootId())) {
          boot = host.bootId();
          say("the host has rebooted: boot id " + boot);
        }
      }
      throw new CommandFailed(
          CommandFailed.REFUSED, "the agent's launcher has ended; its log: " + host.log());
    }
  }

  @Command(
      name = "pack",
      description = {
        "Packs the agent that is built here as another version of itself: for hosts made by `init`,"
            + " to be upgraded to.",
        "For devices agent/src/main/dist/make does, which brings a Java of its own."
      })
  int pack(
      @Parameters(paramLabel = "FILE", description = "The archive.") Path archive,
      @Option(names = "--version", required = true, paramLabel = "VERSION") String version) {
    AgentVersion packed = AgentVersion.built().named(version);
    try {
      Files.write(archive, packed.archive());
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.USAGE, archive + ": cannot be written (" + e + ")", e);
    }
    say("uplift-agent " + version + ": " + archive);
    return 0;
  }

  private static void say(String line) {
    PrintStream out = System.out;
    out.println(line);
    out.flush();
  }
}
