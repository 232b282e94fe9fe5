package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;

/// The heartbeat that is expected of a host, and the activity that waits for it.
///
/// @param step for which it has to be seen: what counts as seen depends on it
/// @param previousBootId the boot that must be over; empty where no reboot was asked for
/// @param previousInstance of the agent that answered the order before; empty if that is not known, or if another one
///   is to be there by now
/// @param outgoingInstance instance of the agent that is not to work any more; empty if there is none
public record HeartbeatWait(
    String tenant,
    HostId host,
    Step step,
    Release release,
    String previousBootId,
    String previousInstance,
    String outgoingInstance,
    WaitingActivity waiter) {}
