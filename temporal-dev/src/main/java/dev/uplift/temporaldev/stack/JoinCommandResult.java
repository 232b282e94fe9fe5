package dev.uplift.temporaldev.stack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// What came of a host's wish to join.
///
/// @param exitCode that the program ended with; 0 when the host has joined
public record JoinCommandResult(int exitCode, String output) {
  private static final long TIMEOUT_S = 120;

  /// Runs the command, with the token as its input: so no list of processes shows it. What it
  /// leaves running is a part of this seat's.
  static JoinCommandResult run(
      ProcessContext context, List<String> command, Map<String, String> environment, String token) {
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = Reaper.ofThisJvm().start(builder, context.tag(), context.stackTag());
      try (OutputStream in = process.getOutputStream()) {
        in.write(token.getBytes(UTF_8));
      }
      process
          .onExit()
          .orTimeout(TIMEOUT_S, TimeUnit.SECONDS)
          .exceptionally(_ -> process.destroyForcibly());
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new JoinCommandResult(process.waitFor(), said);
    } catch (IOException e) {
      throw new StackException("cannot have a host join: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      throw StackException.interrupted("a host joins", e);
    }
  }
}
