package dev.uplift.agent;

import dev.uplift.agent.command.HostEnvironment.Reboot;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Reboots the host by the operator's command. Its output goes to a file, because the command may outlive this process.
final class RebootCommand implements Reboot {
  private static final int KILLED = 124;
  private static final long TIMEOUT_S = 60;

  private final List<String> command;
  private final Path output;

  RebootCommand(List<String> command, Path output) {
    this.command = command;
    this.output = output;
  }

  @Override
  public int start(Consumer<String> log) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(TIMEOUT_S, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    try (var lines = Files.lines(output)) {
      lines.forEach(log);
    }
    return ended ? process.exitValue() : KILLED;
  }
}
