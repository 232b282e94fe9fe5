package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Programs on the PATH, and short commands that are asked something.
final class Commands {
  private static final long ANSWERS_WITHIN_S = 20;

  private Commands() {}

  static Optional<Path> onPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder.isEmpty() ? "." : folder, program);
      if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
        return Optional.of(candidate.toAbsolutePath());
      }
    }
    return Optional.empty();
  }

  /// What a command prints, standard error included; empty when it cannot be run, fails or hangs.
  static Optional<String> ask(List<String> command) {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("GOTOOLCHAIN", "local");
    builder.environment().keySet().removeIf(name -> name.startsWith("TEMPORAL_"));
    // Not in a folder whose own settings would change the answer.
    builder.directory(new File("/"));
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      process
          .onExit()
          .orTimeout(ANSWERS_WITHIN_S, TimeUnit.SECONDS)
          .exceptionally(_ -> process.destroyForcibly());
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw StackFailure.interrupted(command.getFirst(), e);
    }
  }
}
