package dev.uplift.agent.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/// An agent that executes one command, in a process of its own, and is killed with -9 meanwhile.
public final class KilledAgent {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private KilledAgent() {}

  /// Starts it, and kills it as soon as the condition holds.
  ///
  /// @param program a class whose `main` executes the command, with the folder as its argument
  public static void startAndKill(Class<?> program, Path folder, Callable<Boolean> condition)
      throws IOException, InterruptedException {
    Process agent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      await().atMost(TIMEOUT).until(condition);
    } finally {
      agent.destroyForcibly();
      assertThat(agent.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }
}
