package dev.uplift.workflows.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A step that a host has to do. Every attempt carries the same request.
///
/// @param generation how often the step was requested of this host, this time included
/// @param release the one that is installed or left
/// @param targetVersion the version that the host runs when all is done; of a rollback, the one before
/// @param bootBefore the boot of the host when it required a reboot; empty if it never did
/// @param outgoingInstance the agent that is to be replaced, or has been; empty if none is
/// @param allowDowngrade whether the host may run something newer than the release
/// @param overrideHold whether a person wants the release although the owner of the host may hold the package
/// @param firstChange whether nothing on the host was changed yet and this would; then it is sent only to a host that
///   is heard
/// @param notAfter the host does not start the step later than this
/// @param timeout how long the host may take; zero for a step that sends nothing
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
    boolean overrideHold,
    boolean firstChange,
    Instant notAfter,
    Duration timeout) {

  boolean isReachedBy(HostState state) {
    return state.hasReached(step, targetVersion, bootBefore);
  }

  @Override
  public String toString() {
    return step + " " + host;
  }
}
