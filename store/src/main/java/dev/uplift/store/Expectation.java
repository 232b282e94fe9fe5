package dev.uplift.store;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;

/// What has to be seen of a host, and who waits to see it.
///
/// @param step for which it has to be seen: what counts as seen depends on it
/// @param bootBefore the boot that must be over; empty where no reboot was asked for
/// @param instance of the agent that answered the order before; empty if that is not known, or if
///   another one is to be there by now
/// @param makesWay instance of the agent that is not to work any more; empty if there is none
public record Expectation(
    String tenant,
    HostId host,
    Step step,
    Release wanted,
    String bootBefore,
    String instance,
    String makesWay,
    Waiter waiter) {}
