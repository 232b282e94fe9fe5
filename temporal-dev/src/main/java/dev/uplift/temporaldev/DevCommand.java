package dev.uplift.temporaldev;

import dev.uplift.cli.Main;
import dev.uplift.temporaldev.bench.BenchCommand;
import dev.uplift.temporaldev.demo.DemoCommand;
import dev.uplift.temporaldev.up.ArchiveCommand;
import dev.uplift.temporaldev.up.LocalAgentCommands;
import dev.uplift.temporaldev.up.ServerCommand;
import dev.uplift.temporaldev.up.SimulateCommand;
import dev.uplift.temporaldev.up.UpCommand;

/// The command `uplift` of a clone: the operator's commands, and those that bring a stack of their own.
public final class DevCommand {
  private DevCommand() {}

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  /// Returns the exit code.
  static int execute(String... arguments) {
    return Main.execute(
        arguments,
        DemoCommand.class,
        UpCommand.class,
        ServerCommand.class,
        ArchiveCommand.class,
        SimulateCommand.class,
        BenchCommand.class,
        LocalAgentCommands.class);
  }
}
