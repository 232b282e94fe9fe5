package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// An upgrade that is done and is to be taken back.
///
/// @param upgrade id of it
/// @param versionsBefore one for each host whose version from before is recorded
public record UpgradeToRevert(String upgrade, List<HostVersion> versionsBefore) {

  /// What a host ran when the upgrade was prepared.
  public record HostVersion(HostId host, String version) {}

  public UpgradeToRevert {
    versionsBefore = List.copyOf(versionsBefore);
  }

  public static UpgradeToRevert of(String upgrade, Map<HostId, String> versionsBefore) {
    return new UpgradeToRevert(
        upgrade,
        versionsBefore.entrySet().stream()
            .map(each -> new HostVersion(each.getKey(), each.getValue()))
            .toList());
  }

  public Map<HostId, String> versionByHost() {
    Map<HostId, String> versions = new HashMap<>();
    versionsBefore.forEach(each -> versions.put(each.host(), each.version()));
    return versions;
  }
}
