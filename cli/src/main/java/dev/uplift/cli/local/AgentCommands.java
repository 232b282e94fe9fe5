package dev.uplift.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.temporaldev.AgentVersion;
import dev.uplift.temporaldev.HostByHand;
import dev.uplift.temporaldev.Joined;
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
      description = {
        "Makes a folder with all that an agent needs; agent.json in it is yours.",
        "With --token the host joins as on a device; else it is given what it needs by the stack."
      })
  int init(
      @Parameters(paramLabel = "DIR", description = "Plays the host.") Path folder,
      @Option(names = "--host", paramLabel = "HOST", description = "Unless --token says which.")
          @Nullable String host,
      @Option(
              names = "--token",
              paramLabel = "FILE",
              description = "A token of `uplift enroll`; - is the input.")
          @Nullable Path token,
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
    Path from = Path.of(given(stack, "UPLIFT_FOLDER"));
    if ((host == null) == (token == null)) {
      throw CommandFailed.usage("needs --host, or --token");
    }
    if (token != null) {
      return join(from, folder, token, packages);
    }
    String whose = given(tenant, "UPLIFT_TENANT");
    Path config = HostByHand.configure(from, folder, whose, String.valueOf(host), packages);
    say("host " + host + " of " + whose + ": " + config);
    return 0;
  }

  private static String given(@Nullable Object option, String variable) {
    String value = option == null ? System.getenv().getOrDefault(variable, "") : option.toString();
    if (value.isEmpty()) {
      throw CommandFailed.usage("needs --stack and --tenant, or: . FOLDER/env of `uplift up`");
    }
    return value;
  }

  private static int join(Path stack, Path folder, Path file, Map<String, String> packages) {
    JoinToken token = token(file);
    Joined joined = HostByHand.join(stack, folder, token, packages);
    if (joined.code() != 0) {
      throw new CommandFailed(CommandFailed.REFUSED, joined.said().strip());
    }
    say("host %s of %s has joined: %s".formatted(token.host(), token.tenant(), folder));
    return 0;
  }

  private static JoinToken token(Path file) {
    try {
      boolean isInput = file.toString().equals("-");
      byte[] text = isInput ? System.in.readNBytes(4096) : Files.readAllBytes(file);
      return JoinToken.of(new String(text, UTF_8).strip());
    } catch (MalformedMessage e) {
      throw new CommandFailed(CommandFailed.USAGE, file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.USAGE, file + " cannot be read (" + e + ")", e);
    }
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
