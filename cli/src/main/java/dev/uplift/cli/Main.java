package dev.uplift.cli;

import dev.uplift.cli.bench.BenchCommand;
import dev.uplift.cli.demo.DemoCommand;
import dev.uplift.cli.local.AgentCommands;
import dev.uplift.cli.local.UpCommand;
import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.temporaldev.StackFailure;
import java.io.PrintWriter;
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
      "Exit codes: 0 done, 1 refused or failed, 2 called wrongly, 3 an upgrade or rollout ended"
          + " other than wished, 4 no server answers."
    },
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      BenchCommand.class,
      AgentCommands.class,
      AuditCommand.class,
      DeviceCommands.class,
      EnrolCommand.class,
      HealthCommand.class,
      HostCommands.class,
      KeysCommands.class,
      NatsCommands.class,
      ReleaseCommands.class,
      RolloutCommands.class,
      TenantCommands.class,
      UpgradeCommands.class,
      WindowCommands.class,
    })
public final class Main {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Says what the command does and takes.")
  boolean helps;

  @Option(names = "--version", versionHelp = true, description = "Says which version this is.")
  boolean saysVersion;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /// Every failure that was planned for is one line on standard error.
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(calledWrongly())
        .setExecutionExceptionHandler(failed());
  }

  private static IParameterExceptionHandler calledWrongly() {
    return (e, _) -> {
      CommandLine command = e.getCommandLine();
      if (String.valueOf(e.getMessage()).startsWith("Missing required subcommand")) {
        command.usage(command.getErr());
        return CommandFailed.USAGE;
      }
      String name = command.getCommandSpec().qualifiedName();
      line(command, e.getMessage() + "; `" + name + " --help` says more");
      return CommandFailed.USAGE;
    };
  }

  private static IExecutionExceptionHandler failed() {
    return (e, command, _) -> {
      if (e instanceof CommandFailed failed) {
        line(command, String.valueOf(failed.getMessage()));
        return failed.exitCode();
      }
      if (e instanceof StackFailure) {
        line(command, String.valueOf(e.getMessage()));
        return CommandFailed.REFUSED;
      }
      // A bug of ours: whoever reports it needs to see where.
      e.printStackTrace(command.getErr());
      return ExitCode.SOFTWARE;
    };
  }

  private static void line(CommandLine command, String said) {
    PrintWriter err = command.getErr();
    err.println("uplift: " + said);
    err.flush();
  }
}
