package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import java.util.List;
import java.util.Optional;

/// An upgrade that is done and is to be taken back.
///
/// @param upgrade id of it
/// @param before one for each host that it upgraded: where that host goes back to
public record Revert(String upgrade, List<Before> before) {

  /// What a host ran when the upgrade was prepared.
  public record Before(HostId host, String version) {}

  public Revert {
    before = List.copyOf(before);
  }

  /// The version that the host goes back to; empty if it was not upgraded.
  Optional<String> versionBefore(HostId host) {
    return before.stream()
        .filter(each -> each.host().equals(host))
        .map(Before::version)
        .findFirst();
  }
}
