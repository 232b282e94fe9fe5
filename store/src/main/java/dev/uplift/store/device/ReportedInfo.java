package dev.uplift.store.device;

import dev.uplift.fleet.HostId;
import dev.uplift.store.pin.HostHold;
import java.util.List;

/// What a host says of itself, also one that is on no device.
///
/// @param holds what its owner holds, at most one per package
/// @param offers what its repositories offer, at most one per package
public record ReportedInfo(String tenant, HostId host, HostInfo info, List<HostHold> holds, List<HostOffer> offers) {
  public ReportedInfo {
    holds = List.copyOf(holds);
    offers = List.copyOf(offers);
  }
}
