package dev.uplift.api.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.HostState;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.store.device.HostInfo;
import java.util.Optional;

/// The last report of a host's agent about itself.
///
/// @param instance empty if there was none
/// @param upgradeError why its own last upgrade failed; empty if it did not
record AgentSelfReport(String instance, String version, Optional<String> upgradeError) {
  static AgentSelfReport of(Optional<HostInfo> info) {
    return info.map(said -> new AgentSelfReport(said.instance(), said.agentVersion(), upgradeError(said)))
        .orElse(new AgentSelfReport("", HostState.UNKNOWN, Optional.empty()));
  }

  private static Optional<String> upgradeError(HostInfo info) {
    try {
      return Optional.of(AgentInfo.read(info.text().getBytes(UTF_8)).upgradeError()).filter(error -> !error.isEmpty());
    } catch (MalformedMessage _) {
      // Accepted by another version of the server, which could read it.
      return Optional.empty();
    }
  }
}
