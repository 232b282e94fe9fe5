package dev.uplift.cli;

import static java.util.Objects.requireNonNull;

import dev.uplift.cli.barrier.BarrierCommands;
import dev.uplift.cli.device.DeviceCommands;
import dev.uplift.cli.device.HostCommands;
import dev.uplift.cli.device.WhyCommand;
import dev.uplift.cli.enrolment.EnrolmentCommand;
import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.keys.KeysCommands;
import dev.uplift.cli.nats.NatsCommands;
import dev.uplift.cli.pin.ChannelCommands;
import dev.uplift.cli.pin.PinCommands;
import dev.uplift.cli.pin.StopCommand;
import dev.uplift.cli.policy.PolicyCommands;
import dev.uplift.cli.release.ReleaseCommands;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rollout.RolloutCommands;
import dev.uplift.cli.upgrade.UpgradeCommands;
import dev.uplift.cli.window.WindowCommands;
import dev.uplift.protocol.PrintableText;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// Upgrades fleets of edge devices, unattended and safely.
@Command(
    name = "uplift",
    description = "Upgrades fleets of edge devices, unattended and safely.",
    version = "uplift 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 success, 1 rejected or failed, 2 invalid command line, 3 an upgrade or rollout"
          + " ended without success, 4 no server responds, 5 `doctor` warns."
    })
public final class Main {
  private static final List<Class<?>> COMMANDS =
      List.of(
          AuditCommand.class,
          BarrierCommands.class,
          ChannelCommands.class,
          DeviceCommands.class,
          DoctorCommand.class,
          EnrolmentCommand.class,
          EventsCommand.class,
          HealthCommand.class,
          HostCommands.class,
          KeysCommands.class,
          LoginCommand.class,
          LogoutCommand.class,
          NatsCommands.class,
          PinCommands.class,
          PolicyCommands.class,
          ReleaseCommands.class,
          RolloutCommands.class,
          StopCommand.class,
          TenantCommands.class,
          TokenCommands.class,
          UpgradeCommands.class,
          WebhookCommands.class,
          WhyCommand.class,
          WindowCommands.class);

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  boolean helpRequested;

  @Option(names = "--version", versionHelp = true, description = "Show the version.")
  boolean versionRequested;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  /// Runs the command that the arguments name, and returns its exit code.
  ///
  /// @param more additional commands
  public static int execute(String[] arguments, Class<?>... more) {
    return commandLine(CommandTree.of(arguments), more).execute(arguments);
  }

  /// Returns the operator's commands. An expected failure is one line on standard error.
  ///
  /// @param more additional commands
  public static CommandLine commandLine(Class<?>... more) {
    return commandLine(CommandTree.complete(), more);
  }

  static CommandLine commandLine(CommandTree tree, Class<?>... more) {
    var commands = new CommandLine(new Main());
    COMMANDS.forEach(each -> tree.add(commands, each));
    List.of(more).forEach(each -> tree.add(commands, each));
    CommandExamples.addTo(commands);
    return commands
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(usageErrorHandler())
        .setExecutionExceptionHandler(failureHandler());
  }

  private static IParameterExceptionHandler usageErrorHandler() {
    return (e, _) -> {
      CommandLine command = e.getCommandLine();
      if (String.valueOf(e.getMessage()).startsWith("Missing required subcommand")) {
        command.usage(command.getErr());
        return CliException.USAGE;
      }
      String name = command.getCommandSpec().qualifiedName();
      printError(command, UsageErrors.describe(e) + "; `" + name + " --help` says more");
      return CliException.USAGE;
    };
  }

  private static IExecutionExceptionHandler failureHandler() {
    return (e, command, _) -> {
      if (e instanceof CliException failed) {
        printError(command, String.valueOf(failed.getMessage()));
        return failed.exitCode();
      }
      if (e instanceof UncheckedIOException failed) {
        printError(command, UserFile.describe(requireNonNull(failed.getCause())));
        return CliException.FAILED;
      }
      // A bug: its report needs the stack trace.
      e.printStackTrace(command.getErr());
      return ExitCode.SOFTWARE;
    };
  }

  private static void printError(CommandLine command, String message) {
    PrintWriter err = command.getErr();
    err.println("uplift: " + PrintableText.lines(message));
    err.flush();
  }
}
