package dev.uplift.agent.driver.agent;

import dev.uplift.agent.driver.AgentTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The trial as the launcher counts it: by the uptime of the host, in the file `since`.
final class LauncherTrial implements AgentTrial {
  private final AgentInstallation installation;
  private final String version;
  private final String bootId;
  private final Path uptimeFile;
  private final long startedNanos = System.nanoTime();

  /// @param version that this process was started as
  /// @param uptimeFile as `/proc/uptime`
  LauncherTrial(AgentInstallation installation, String version, String bootId, Path uptimeFile) {
    this.installation = installation;
    this.version = version;
    this.bootId = bootId;
    this.uptimeFile = uptimeFile;
  }

  @Override
  public Optional<Duration> timeout() throws IOException {
    return installation.isOnTrial(version) ? Optional.of(installation.trialTimeout()) : Optional.empty();
  }

  /// A process that has worked for as long as the trial lasts was no failed start, and counts as none.
  @Override
  public void renew() throws IOException {
    boolean isStable = System.nanoTime() - startedNanos >= installation.trialTimeout().toNanos();
    installation.renewTrial(bootId, uptimeSeconds(), isStable);
  }

  private String uptimeSeconds() throws IOException {
    String text = Files.readString(uptimeFile);
    return text.substring(0, text.indexOf('.'));
  }
}
