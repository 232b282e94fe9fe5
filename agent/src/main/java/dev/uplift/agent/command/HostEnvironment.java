package dev.uplift.agent.command;

import dev.uplift.agent.download.DownloadControl;
import dev.uplift.agent.driver.AgentHandover;
import dev.uplift.agent.driver.AgentTrial;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.OwnerHolds;
import dev.uplift.agent.journal.PackageHalts;
import dev.uplift.agent.trust.TrustedTimeFloor;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Everything that the agent's core needs of its host, except for the drivers.
public record HostEnvironment(
    ArtifactSource artifacts,
    Reboot reboot,
    AgentIntervals intervals,
    AgentHandover agentHandover,
    AgentTrial agentTrial,
    TrustedTimeFloor timeFloor,
    OwnerHolds ownerHolds,
    PackageHalts halts) {

  /// Of an agent that is never followed by another, keeps no time and no halts, and whose host has no owner who holds
  /// anything.
  public HostEnvironment(ArtifactSource artifacts, Reboot reboot, AgentIntervals intervals) {
    this(
        artifacts,
        reboot,
        intervals,
        AgentHandover.NONE,
        AgentTrial.NONE,
        TrustedTimeFloor.inMemory(),
        OwnerHolds.none(),
        PackageHalts.inMemory());
  }

  /// Downloads artifacts.
  @FunctionalInterface
  public interface ArtifactSource {
    /// The file with exactly the artifact's bytes.
    Path fetch(String address, Artifact artifact, DownloadControl control) throws StepFailed;
  }

  /// Reboots the host.
  @FunctionalInterface
  public interface Reboot {
    /// Sets the reboot going; the host may go down before this returns. Returns the exit code of the command; what it
    /// said goes to `log`.
    int start(Consumer<String> log) throws IOException, InterruptedException;
  }
}
