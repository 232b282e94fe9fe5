package dev.uplift.workflows.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import java.time.Instant;
import java.util.Optional;

/// What a host is to do. An attempt that is repeated carries the same order.
///
/// @param generation how often the step was ordered on this host, this time included
/// @param release the one that is brought or taken back
/// @param targetVersion the version that the host runs when all is done; of a rollback the one from before
/// @param bootBefore the boot of the host when it asked for another; empty if it never did
/// @param outgoingInstance of the agent that is to make way for another, or has; empty if none was found
///   to, and in orders of earlier versions
/// @param allowDowngrade whether the host may run something newer than the release
/// @param notAfter the host does not begin it later than this
public record StepRequest(
    String upgrade,
    DeviceId device,
    HostId host,
    Step step,
    int generation,
    Release release,
    String targetVersion,
    String bootBefore,
    Optional<String> outgoingInstance,
    boolean allowDowngrade,
    Instant notAfter) {

  boolean isReachedBy(HostState state) {
    return state.hasReached(step, targetVersion, bootBefore);
  }

  @Override
  public String toString() {
    return step + " " + host;
  }
}
