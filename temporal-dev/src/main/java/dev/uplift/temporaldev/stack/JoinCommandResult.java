package dev.uplift.temporaldev.stack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The result of a command that was run on a host: that it joins, or that its owner holds a package.
///
/// @param exitCode of the program; 0 if it was carried out
public record JoinCommandResult(int exitCode, String output) {
  private static final long TIMEOUT_S = 120;

  /// Runs the command with the token as its input, so that no process list shows it. Processes that it leaves running
  /// have the tag of the context.
  static JoinCommandResult run(
      StackProcess.ProcessContext context, List<String> command, Map<String, String> environment, String token) {
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = Reaper.ofThisJvm().start(builder, context.tag(), context.stackTag());
      try (OutputStream in = process.getOutputStream()) {
        in.write(token.getBytes(UTF_8));
      }
      process.onExit().orTimeout(TIMEOUT_S, TimeUnit.SECONDS).exceptionally(_ -> process.destroyForcibly());
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new JoinCommandResult(process.waitFor(), output);
    } catch (IOException e) {
      throw new StackException("cannot run the command: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      throw StackException.interrupted("running a command on a host", e);
    }
  }
}
