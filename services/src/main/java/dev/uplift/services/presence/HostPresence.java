package dev.uplift.services.presence;

import dev.uplift.fleet.HostId;
import java.util.Optional;

/// Tells which hosts are heard, as far as this process knows. [Presence] does so from their heartbeats.
public interface HostPresence {
  /// Returns the presence of a host now.
  PresenceStatus status(String tenant, HostId host);

  /// Returns the newest heartbeat of the host, normally of its active agent; empty if there is none.
  Optional<ReceivedHeartbeat> activeInstance(String tenant, HostId host);

  /// Describes, for people, two machines that work as this host; empty if there is one.
  Optional<String> describeDuplicates(String tenant, HostId host);

  /// Describes, in a sentence for people, the outage between hosts and NATS that is suspected for a tenant; empty if
  /// there is none. While there is one, hosts that fall silent are unknown: the silence says nothing about any of them.
  Optional<String> describeOutage(String tenant);
}
