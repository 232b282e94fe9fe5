package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// An upgrade that is done and is to be taken back.
///
/// @param upgrade id of it
/// @param before one for each host whose version from before is recorded
public record Revert(String upgrade, List<Before> before) {

  /// What a host ran when the upgrade was prepared.
  public record Before(HostId host, String version) {}

  public Revert {
    before = List.copyOf(before);
  }

  public Map<HostId, String> versions() {
    Map<HostId, String> versions = new HashMap<>();
    before.forEach(each -> versions.put(each.host(), each.version()));
    return versions;
  }
}
