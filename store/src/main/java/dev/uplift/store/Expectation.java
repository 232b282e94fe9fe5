package dev.uplift.store;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;

/// What has to be seen of a host, and who waits to see it.
///
/// @param bootBefore the boot that must be over; empty where no reboot was asked for
/// @param instance of the agent that answered the order before; empty if that is not known
public record Expectation(
    String tenant,
    HostId host,
    Release wanted,
    String bootBefore,
    String instance,
    Waiter waiter) {}
