package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// What came of a host's wish to join.
///
/// @param code that the program ended with; 0 when the host has joined
public record Joined(int code, String said) {
  private static final long ENDS_WITHIN_S = 120;

  /// Runs the command, with the token as its input: so no list of processes shows it. What it
  /// leaves running is a part of this seat's.
  static Joined of(Seat seat, List<String> command, Map<String, String> environment, String token) {
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = Reaper.ofThisJvm().start(builder, seat.tag(), seat.stack());
      try (OutputStream in = process.getOutputStream()) {
        in.write(token.getBytes(UTF_8));
      }
      process
          .onExit()
          .orTimeout(ENDS_WITHIN_S, TimeUnit.SECONDS)
          .exceptionally(_ -> process.destroyForcibly());
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Joined(process.waitFor(), said);
    } catch (IOException e) {
      throw new StackFailure("cannot have a host join: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      throw StackFailure.interrupted("a host joins", e);
    }
  }
}
