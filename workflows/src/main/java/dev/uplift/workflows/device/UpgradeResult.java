package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a device upgrade returns.
///
/// @param reason what stopped it, or had a host skipped; empty where nothing went wrong
/// @param hosts in the order in which they are upgraded
public record UpgradeResult(Outcome outcome, Optional<Reason> reason, List<HostReport> hosts) {
  /// What each host was last found to run.
  public Map<HostId, String> versions() {
    Map<HostId, String> versions = new LinkedHashMap<>();
    hosts.forEach(host -> versions.put(host.host(), host.version()));
    return versions;
  }
}
