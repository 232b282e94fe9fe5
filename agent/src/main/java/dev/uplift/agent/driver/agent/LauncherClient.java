package dev.uplift.agent.driver.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.process.ExitStatus;
import dev.uplift.agent.driver.process.Program;
import dev.uplift.agent.driver.process.ProgramRunner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The words that the launcher has for an agent.
final class LauncherClient {
  /// Longer than it gives an agent to end.
  private static final long TIMEOUT_S = 60;

  private final Path folder;
  private final ProgramRunner programs;

  LauncherClient(Path folder, ProgramRunner programs) {
    this.folder = folder;
    this.programs = programs;
  }

  /// Has the version that `current` leads to started, if it is not alive.
  void start(String version) throws StepFailed, InterruptedException {
    runCommand("begin", version);
  }

  /// Has the agent of this version ended, if it is alive.
  void stop(String version) throws StepFailed, InterruptedException {
    runCommand("end", version);
  }

  /// Runs the self-test of this version, which changes nothing.
  ProgramRunner.ProgramResult selfTest(String version, Duration limit, Consumer<String> log)
      throws StepFailed, IOException, InterruptedException {
    var program = new Program(List.of("sh", script(), "self-test", version), folder, agentVariables());
    return programs.runShort("self-test", program, limit, log);
  }

  /// Where this installation has its folders, which programs of packages are not told.
  private static SortedMap<String, String> agentVariables() {
    var variables = new TreeMap<>(System.getenv());
    variables.keySet().removeIf(name -> !name.startsWith("UPLIFT_AGENT_"));
    return variables;
  }

  private void runCommand(String word, String version) throws StepFailed, InterruptedException {
    String said;
    try {
      Process process = new ProcessBuilder("sh", script(), word, version).redirectErrorStream(true).start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(TIMEOUT_S, TimeUnit.SECONDS);
      if (ended && process.exitValue() == 0) {
        return;
      }
      process.destroyForcibly();
      said = ended ? readOutput(process) : new ExitStatus.TimedOut().text();
    } catch (IOException e) {
      said = String.valueOf(e.getMessage());
    }
    throw StepFailed.needsPerson("launcher-failed", "launcher %s %s: %s".formatted(word, version, said));
  }

  private static String readOutput(Process process) throws IOException {
    try (InputStream in = process.getInputStream()) {
      return new String(in.readNBytes(1000), UTF_8).strip();
    }
  }

  private String script() {
    return folder.resolve("launcher").toString();
  }
}
