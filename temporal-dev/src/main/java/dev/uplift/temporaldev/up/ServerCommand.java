package dev.uplift.temporaldev.up;

import dev.uplift.temporaldev.programs.ProgramLocator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Runs a server with settings of one's own.
@Command(
    name = "server",
    description = {
      "Run the Uplift server in the foreground, with the settings in environment variables.",
      "Unlike `up` it starts neither Temporal nor NATS. See docs/operating.md, \"Running the server\"."
    })
public final class ServerCommand implements Callable<Integer> {
  private static final List<String> JAVA_OPTIONS =
      List.of(
          "--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED", "-XX:+ExitOnOutOfMemoryError");

  @Option(names = "--settings", description = "List all settings and end.")
  private boolean listsSettings;

  @Override
  public Integer call() {
    return ForegroundProgram.run(command(listsSettings ? List.of("--help") : List.of()));
  }

  /// Returns the command line of the server, on the Java of this JVM.
  static List<String> command(List<String> arguments) {
    ProgramLocator programs = new ProgramLocator(_ -> {}, Optional.empty(), Optional.empty());
    return ProgramLocator.javaCommand(JAVA_OPTIONS, programs.server(), "dev.uplift.api.Server", arguments);
  }
}
