package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.CrashSimulator;
import dev.uplift.agent.files.FileOps;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;

/// Agents, each as its own process would run it, in one that is killed with all of them. Each line of the input is the
/// configuration of one more. Those with a [CrashSimulator.CrashPoint] beside their configuration stand still there;
/// those with a file `changes` note there what they do to the disk.
final class ManyAgents {
  private ManyAgents() {}

  public static void main(String[] arguments) throws IOException {
    var lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Path configuration = Path.of(line);
      Thread.ofPlatform().daemon().start(() -> run(configuration));
    }
    // Its parent is gone.
    Runtime.getRuntime().halt(0);
  }

  private static void run(Path configuration) {
    try {
      Agent.run(configuration, disk(configuration.resolveSibling("changes")));
    } catch (Exception e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static FileOps disk(Path changes) throws IOException {
    return Files.exists(changes)
        ? CrashSimulator.recordingTo(changes)
        : CrashSimulator.inFolder(changes.resolveSibling("."), () -> {});
  }
}
