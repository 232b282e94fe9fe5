package dev.uplift.temporaldev.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Finds programs on the PATH and runs short commands.
public final class SystemCommands {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration PATIENT_TIMEOUT = Duration.ofMinutes(2);

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
    return execute(command, TIMEOUT) instanceof Result.Success(String output) ? Optional.of(output) : Optional.empty();
  }

  /// Runs a command that has to succeed, and that may take minutes on a machine with much else to do.
  ///
  /// @param purpose completes the sentence "cannot …"
  /// @throws StackException with the reason, in the words of the command if it has any
  public static void require(String purpose, List<String> command) {
    require(purpose, command, PATIENT_TIMEOUT);
  }

  static void require(String purpose, List<String> command, Duration timeout) {
    if (execute(command, timeout) instanceof Result.Failure(String reason)) {
      String program = String.valueOf(Path.of(command.getFirst()).getFileName());
      throw new StackException("cannot %s: %s: %s".formatted(purpose, program, reason));
    }
  }

  private static Result execute(List<String> command, Duration timeout) {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("GOTOOLCHAIN", "local");
    builder.environment().keySet().removeIf(name -> name.startsWith("TEMPORAL_"));
    // Not in a folder whose settings would change the result.
    builder.directory(new File("/"));
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      var isLate = new AtomicBoolean();
      process
          .onExit()
          .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
          .exceptionally(_ -> {
            isLate.set(true);
            return process.destroyForcibly();
          });
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      int exitCode = process.waitFor();
      if (exitCode == 0) {
        return new Result.Success(output);
      }
      String end = isLate.get() ? "did not end within " + timeout.toSeconds() + " s" : "ended with " + exitCode;
      return new Result.Failure(output.isBlank() ? end : end + ": " + output.strip());
    } catch (IOException e) {
      return new Result.Failure(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw StackException.interrupted(command.getFirst(), e);
    }
  }

  /// How a command ended.
  private sealed interface Result {
    record Success(String output) implements Result {}

    record Failure(String reason) implements Result {}
  }
}
