package dev.uplift.temporaldev.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Finds programs on the PATH and runs short commands.
public final class SystemCommands {
  private static final long TIMEOUT_S = 20;

  private SystemCommands() {}

  public static Optional<Path> findOnPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder.isEmpty() ? "." : folder, program);
      if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
        return Optional.of(candidate.toAbsolutePath());
      }
    }
    return Optional.empty();
  }

  /// Returns the output of a command with its standard error; empty if it cannot be run, fails or hangs.
  public static Optional<String> run(List<String> command) {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("GOTOOLCHAIN", "local");
    builder.environment().keySet().removeIf(name -> name.startsWith("TEMPORAL_"));
    // Not in a folder whose settings would change the result.
    builder.directory(new File("/"));
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      process.onExit().orTimeout(TIMEOUT_S, TimeUnit.SECONDS).exceptionally(_ -> process.destroyForcibly());
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw StackException.interrupted(command.getFirst(), e);
    }
  }
}
