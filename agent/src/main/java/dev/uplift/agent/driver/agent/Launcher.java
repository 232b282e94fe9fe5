package dev.uplift.agent.driver.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.session.Ending;
import dev.uplift.agent.driver.session.Program;
import dev.uplift.agent.driver.session.Sessions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The words that the launcher has for an agent.
final class Launcher {
  /// Longer than it gives an agent to end.
  private static final long PATIENCE_S = 60;

  private final Path folder;
  private final Sessions sessions;

  Launcher(Path folder, Sessions sessions) {
    this.folder = folder;
    this.sessions = sessions;
  }

  /// Has the version that `current` leads to started, if it is not alive.
  void begin(String version) throws StepFailed, InterruptedException {
    order("begin", version);
  }

  /// Has the agent of this version ended, if it is alive.
  void end(String version) throws StepFailed, InterruptedException {
    order("end", version);
  }

  /// What this version says of this host: it looks, and changes nothing.
  Sessions.Answer selfTest(String version, Duration limit, Consumer<String> log)
      throws StepFailed, IOException, InterruptedException {
    var program =
        new Program(List.of("sh", script(), "self-test", version), folder, new TreeMap<>());
    return sessions.probe("self-test", program, limit, log);
  }

  private void order(String word, String version) throws StepFailed, InterruptedException {
    String said;
    try {
      Process process =
          new ProcessBuilder("sh", script(), word, version).redirectErrorStream(true).start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
      if (ended && process.exitValue() == 0) {
        return;
      }
      process.destroyForcibly();
      said = ended ? said(process) : new Ending.TimedOut().text();
    } catch (IOException e) {
      said = String.valueOf(e.getMessage());
    }
    throw StepFailed.needsPerson(
        "launcher-failed", "launcher %s %s: %s".formatted(word, version, said));
  }

  private static String said(Process process) throws IOException {
    try (InputStream in = process.getInputStream()) {
      return new String(in.readNBytes(1000), UTF_8).strip();
    }
  }

  private String script() {
    return folder.resolve("launcher").toString();
  }
}
