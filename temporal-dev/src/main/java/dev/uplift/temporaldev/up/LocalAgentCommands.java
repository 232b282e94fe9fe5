package dev.uplift.temporaldev.up;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.CliException;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.scenario.Sleeper;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.StandaloneHost;
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
public final class LocalAgentCommands {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

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
    Path from = Path.of(required(stack, "UPLIFT_FOLDER"));
    if ((host == null) == (token == null)) {
      throw CliException.usageError("needs --host, or --token");
    }
    if (token != null) {
      return join(from, folder, token, packages);
    }
    String whose = required(tenant, "UPLIFT_TENANT");
    Path config = StandaloneHost.configure(from, folder, whose, String.valueOf(host), packages);
    printLine("host " + host + " of " + whose + ": " + config);
    return 0;
  }

  private static String required(@Nullable Object option, String variable) {
    String value = option == null ? System.getenv().getOrDefault(variable, "") : option.toString();
    if (value.isEmpty()) {
      throw CliException.usageError("needs --stack and --tenant, or: . FOLDER/env of `uplift up`");
    }
    return value;
  }

  private static int join(Path stack, Path folder, Path file, Map<String, String> packages) {
    JoinToken token = readToken(file);
    JoinCommandResult joinCommandResult = StandaloneHost.join(stack, folder, token, packages);
    if (joinCommandResult.exitCode() != 0) {
      throw new CliException(CliException.FAILED, joinCommandResult.output().strip());
    }
    printLine("host %s of %s has joined: %s".formatted(token.host(), token.tenant(), folder));
    return 0;
  }

  private static JoinToken readToken(Path file) {
    try {
      boolean isInput = file.toString().equals("-");
      byte[] text = isInput ? System.in.readNBytes(4096) : Files.readAllBytes(file);
      return JoinToken.decode(new String(text, UTF_8).strip());
    } catch (MalformedMessage e) {
      throw new CliException(CliException.USAGE, file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new CliException(CliException.USAGE, file + " cannot be read (" + e + ")", e);
    }
  }

  @Command(
      name = "start",
      description = {
        "Switches the host of a folder on and keeps it running until Ctrl-C.",
        "When its agent reboots it, it comes back by itself."
      })
  int start(@Parameters(paramLabel = "DIR", description = "Made by `init`.") Path folder) {
    try (StandaloneHost host = StandaloneHost.open(folder)) {
      host.start();
      printLine("the agent's launcher is process " + host.pid() + "; their log: " + host.logFile());
      String boot = host.bootId();
      while (host.isPoweredOn()) {
        Sleeper.sleep(POLL_INTERVAL);
        if (!boot.equals(host.bootId())) {
          boot = host.bootId();
          printLine("the host has rebooted: boot id " + boot);
        }
      }
      throw new CliException(
          CliException.FAILED, "the agent's launcher has ended; its log: " + host.logFile());
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
    AgentVersion packed = AgentVersion.ofCurrentBuild().withName(version);
    try {
      Files.write(archive, packed.archive());
    } catch (IOException e) {
      throw new CliException(CliException.USAGE, archive + ": cannot be written (" + e + ")", e);
    }
    printLine("uplift-agent " + version + ": " + archive);
    return 0;
  }

  private static void printLine(String line) {
    PrintStream out = System.out;
    out.println(line);
    out.flush();
  }
}
