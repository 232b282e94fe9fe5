package dev.uplift.agent.core;

import dev.uplift.agent.download.Watch;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.Succession;
import dev.uplift.agent.link.GoodTime;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// What an agent needs of its host beside the drivers.
public record Surroundings(
    Artifacts artifacts, Reboot reboot, Tempo tempo, Succession succession, GoodTime goodTime) {

  /// Of an agent that is never followed by another, and keeps no time.
  public Surroundings(Artifacts artifacts, Reboot reboot, Tempo tempo) {
    this(artifacts, reboot, tempo, Succession.NONE, GoodTime.inMemory());
  }

  /// Where artifacts come from.
  @FunctionalInterface
  public interface Artifacts {
    /// The file with exactly the artifact's bytes.
    Path fetch(String address, Artifact artifact, Watch watch) throws StepFailed;
  }

  /// How the host is rebooted.
  @FunctionalInterface
  public interface Reboot {
    /// Sets the reboot going; the host may go down before this returns. Returns the exit code of
    /// the command; what it said goes to `log`.
    int order(Consumer<String> log) throws IOException, InterruptedException;
  }
}
