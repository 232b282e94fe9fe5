package dev.uplift.temporaldev.up;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.StandaloneHost;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Runs a host for a stack of `uplift up`.
@Command(
    name = "agent",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Run a host for `uplift up` in a folder: a real agent, started by hand.")
public final class LocalAgentCommands {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  @Command(
      name = "init",
      sortOptions = false,
      description = {
        "Create a folder with all files of an agent; edit its agent.json as needed.",
        "With --token the host joins like a device; otherwise the stack issues its credentials."
      })
  int init(
      @Parameters(paramLabel = "DIR", description = "Folder of the host.") Path folder,
      @Option(names = "--host", paramLabel = "HOST", description = "The host; not with --token, which names it.")
          @Nullable String host,
      @Option(
              names = "--token",
              paramLabel = "FILE",
              description = "File with a token of `uplift enrol`; - for standard input.")
          @Nullable Path token,
      @Option(
              names = "--package",
              required = true,
              paramLabel = "NAME=KIND",
              description =
                  "A package and its kind (agent, bundle, script, simulated), such as shopd=bundle."
                      + " May be repeated.")
          Map<String, String> packages,
      @Option(
              names = "--stack",
              paramLabel = "DIR",
              description = "Folder of `uplift up`; default: $UPLIFT_STACK_FOLDER.")
          @Nullable Path stack,
      @Option(names = "--tenant", paramLabel = "NAME", description = "The tenant; default: $UPLIFT_TENANT.")
          @Nullable String tenant) {
    Path stackFolder = Path.of(required(stack, "UPLIFT_STACK_FOLDER"));
    if ((host == null) == (token == null)) {
      throw CliException.usageError("needs --host, or --token");
    }
    if (token != null) {
      return join(stackFolder, folder, token, packages);
    }
    String tenantName = required(tenant, "UPLIFT_TENANT");
    Path config = StandaloneHost.configure(stackFolder, folder, tenantName, String.valueOf(host), packages);
    printLine("host " + host + " of " + tenantName + ": " + config);
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
      byte[] text = file.toString().equals("-") ? System.in.readNBytes(4096) : UserFile.readBytes(file);
      return JoinToken.decode(new String(text, UTF_8).strip());
    } catch (MalformedMessage e) {
      throw new CliException(CliException.USAGE, file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw UserFile.cannotRead(file, e);
    }
  }

  @Command(
      name = "start",
      description = {
        "Switch on the host of a folder and run it until Ctrl-C.",
        "After a reboot by its agent it starts again."
      })
  int start(@Parameters(paramLabel = "DIR", description = "Folder of the host, created by `init`.") Path folder) {
    try (StandaloneHost host = StandaloneHost.open(folder)) {
      host.start();
      printLine("launcher: process " + host.pid() + "; log: " + host.logFile());
      String boot = host.bootId();
      while (host.isPoweredOn()) {
        Sleeper.sleep(POLL_INTERVAL);
        if (!boot.equals(host.bootId())) {
          boot = host.bootId();
          printLine("the host has rebooted: boot id " + boot);
        }
      }
      throw new CliException(CliException.FAILED, "the launcher has ended; log: " + host.logFile());
    }
  }

  @Command(
      name = "pack",
      description = {
        "Pack the agent of this build as another version, to upgrade hosts that were created by" + " `init`.",
        "For devices use agent/src/main/dist/make, which includes a Java runtime."
      })
  int pack(
      @Parameters(paramLabel = "FILE", description = "The archive to write.") Path archive,
      @Option(names = "--version", required = true, paramLabel = "VERSION") String version) {
    AgentVersion packed = AgentVersion.ofCurrentBuild().withName(version);
    var _ = UserFile.write(archive, packed.archive());
    printLine("uplift-agent " + version + ": " + archive);
    return 0;
  }

  private static void printLine(String line) {
    PrintStream out = System.out;
    out.println(line);
    out.flush();
  }
}
