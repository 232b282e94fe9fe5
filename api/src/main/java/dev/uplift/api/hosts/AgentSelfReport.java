package dev.uplift.api.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.HostState;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.store.device.HostInfo;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The last report of a host's agent about itself.
///
/// @param instance empty if there was none
/// @param upgradeError why its own last upgrade failed; empty if it did not
/// @param offers what the repositories of the host offer, by package
record AgentSelfReport(String instance, String version, Optional<String> upgradeError, Map<String, OfferView> offers) {
  static AgentSelfReport of(Optional<HostInfo> info) {
    return info.map(AgentSelfReport::of).orElse(new AgentSelfReport("", HostState.UNKNOWN, Optional.empty(), Map.of()));
  }

  private static AgentSelfReport of(HostInfo info) {
    Optional<AgentInfo> said = read(info);
    return new AgentSelfReport(
        info.instance(),
        info.agentVersion(),
        said.map(AgentInfo::upgradeError).filter(error -> !error.isEmpty()),
        said.map(AgentSelfReport::offers).orElse(Map.of()));
  }

  private static Map<String, OfferView> offers(AgentInfo said) {
    Map<String, OfferView> offers = new TreeMap<>();
    said.offers().forEach((name, offer) -> offers.put(name, OfferView.of(offer)));
    return offers;
  }

  private static Optional<AgentInfo> read(HostInfo info) {
    try {
      return Optional.of(AgentInfo.read(info.text().getBytes(UTF_8)));
    } catch (MalformedMessage _) {
      // Accepted by another version of the server, which could read it.
      return Optional.empty();
    }
  }
}
