package dev.uplift.store.device;

import dev.uplift.fleet.HostId;
import dev.uplift.store.enrolment.EnrolmentStatus;
import java.util.Map;
import java.util.Optional;

/// A host: where it is, what it last said, and whether it has joined.
///
/// @param device that it is on; empty for one that only spoke
/// @param info empty if it never spoke
/// @param heartbeat the newest that was recorded, seconds to minutes old; empty if none was
/// @param versions package to version, by info or beat, whichever is newer
public record HostRow(
    String tenant,
    HostId host,
    Optional<String> device,
    Optional<HostInfo> info,
    Optional<HeartbeatRow> heartbeat,
    Map<String, String> versions,
    EnrolmentStatus enrolment) {
  public HostRow {
    versions = Map.copyOf(versions);
  }

  public HostSoftware software() {
    return new HostSoftware(host, device, versions, info.map(HostInfo::versions), info.map(HostInfo::drivers));
  }
}
