package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.AWAIT_HOST;
import static dev.uplift.fleet.Step.AWAIT_SUCCESSOR;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.STOP;
import static dev.uplift.fleet.Step.UPGRADE;
import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.Done;
import dev.uplift.workflows.device.StepResult.HandoverRequired;
import dev.uplift.workflows.device.StepResult.NotSent;
import dev.uplift.workflows.device.StepResult.RebootRequired;
import dev.uplift.workflows.device.UpgradePlan.UpgradeToRevert;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How far each host got and what it was found to run, as its results say.
final class HostTracker {
  /// Leaves a host that is skipped.
  static final class HostSkipped extends RuntimeException {
    private static final long serialVersionUID = 1;

    private HostSkipped() {}
  }

  private static final HostState UNKNOWN_STATE = new HostState(HostState.UNKNOWN, "", "", false);

  private static final class TrackedHost {
    Progress progress = Progress.UNCHANGED;
    HostState newest = UNKNOWN_STATE;
    Optional<String> versionBefore = Optional.empty();
    Optional<String> offeredOver = Optional.empty();
    String bootBefore = "";
    Optional<String> outgoingInstance = Optional.empty();
    boolean handoverInProgress;
    boolean skipped;
    boolean silent;
    @Nullable Reason reason;
  }

  private final Map<HostId, TrackedHost> tracked = new LinkedHashMap<>();

  HostTracker(List<HostId> hosts) {
    hosts.forEach(host -> tracked.put(host, new TrackedHost()));
  }

  void update(DeviceFacts facts) {
    for (DeviceFacts.HostFacts hostFacts : facts.hosts()) {
      of(hostFacts.host()).newest = new HostState(hostFacts.version(), "", "", hostFacts.onTrial());
      of(hostFacts.host()).offeredOver = hostFacts.offer().map(_ -> hostFacts.version());
    }
  }

  void update(UpgradeToRevert upgradeToRevert) {
    upgradeToRevert
        .versionByHost()
        .forEach((host, version) -> {
          if (tracked.containsKey(host)) {
            of(host).versionBefore = Optional.of(version);
          }
        });
  }

  void update(StepRequest stepRequest, StepResult stepResult) {
    TrackedHost host = of(stepRequest.host());
    if (stepResult instanceof Done(HostState state, _)) {
      if (stepRequest.step() != AWAIT_SUCCESSOR && stepRequest.step() != AWAIT_HOST) {
        // An agent that stands by is not active yet. A heartbeat does not show what is staged.
        host.newest = state;
      }
      if (stepRequest.step() == STOP || stepRequest.step() == AWAIT_HEARTBEAT) {
        host.handoverInProgress = false;
      }
      if (stepRequest.step() == PREPARE) {
        host.versionBefore = Optional.of(state.version());
      }
    } else if (stepResult instanceof RebootRequired(String bootId)) {
      host.bootBefore = bootId;
    } else if (stepResult instanceof HandoverRequired(String instance)) {
      host.outgoingInstance = Optional.of(instance);
      host.handoverInProgress = true;
    }
    host.silent = stepResult instanceof NotSent;
  }

  /// Returns whether the version that the host runs says nothing about this step: it ran the release when the upgrade
  /// began, and the step installs what its repositories offer.
  boolean isHiddenByVersion(StepRequest stepRequest) {
    return (stepRequest.step() == PREPARE || stepRequest.step() == UPGRADE)
        && of(stepRequest.host()).offeredOver.filter(stepRequest.targetVersion()::equals).isPresent();
  }

  void markUnknown(HostId host) {
    of(host).newest = UNKNOWN_STATE;
  }

  /// A reboot or a handover that was required on the way forward is not on the way back.
  void startRollback(HostId host) {
    of(host).bootBefore = "";
    of(host).outgoingInstance = Optional.empty();
  }

  void setProgress(HostId host, Progress progress) {
    of(host).progress = progress;
  }

  /// Leaves the host as it is from now on. To be thrown by the caller.
  HostSkipped skip(HostId host, Reason reason) {
    of(host).skipped = true;
    recordReason(host, reason);
    return new HostSkipped();
  }

  /// The first reason of a host is kept.
  void recordReason(HostId host, Reason reason) {
    if (of(host).reason == null) {
      of(host).reason = reason;
    }
  }

  Progress progress(HostId host) {
    return of(host).progress;
  }

  boolean isAnyChanged() {
    return tracked.values().stream().anyMatch(host -> host.progress != Progress.UNCHANGED);
  }

  boolean isUnchanged(HostId host) {
    return of(host).progress == Progress.UNCHANGED;
  }

  /// Returns whether there is something to roll back; a skipped host stays as it is.
  boolean needsRollback(HostId host) {
    return !isUnchanged(host) && !isSkipped(host);
  }

  /// Returns whether the release is staged on the host and there is nothing else to roll back. A host that was not
  /// heard when its turn came is not asked to discard it.
  boolean canDiscardStaged(HostId host) {
    return isUnchanged(host) && !isSkipped(host) && !of(host).silent && of(host).versionBefore.isPresent();
  }

  /// Returns whether a result of it, or the lack of one, stopped it.
  boolean hasFailed(HostId host) {
    return of(host).reason != null;
  }

  boolean isSkipped(HostId host) {
    return of(host).skipped;
  }

  boolean isOnTrial(HostId host) {
    return of(host).newest.onTrial();
  }

  String bootId(HostId host) {
    return of(host).newest.bootId();
  }

  /// The boot in which the host required a reboot; empty if it never did.
  String bootBefore(HostId host) {
    return of(host).bootBefore;
  }

  /// The agent that required a handover; empty if none did.
  Optional<String> outgoingInstance(HostId host) {
    return of(host).outgoingInstance;
  }

  /// Returns whether a successor has been started on it while the outgoing agent is still active.
  boolean isHandoverInProgress(HostId host) {
    return of(host).handoverInProgress;
  }

  String versionBefore(HostId host) {
    return of(host).versionBefore.orElse(HostState.UNKNOWN);
  }

  Map<HostId, String> versions() {
    Map<HostId, String> versions = new LinkedHashMap<>();
    tracked.forEach((host, is) -> versions.put(host, is.newest.version()));
    return versions;
  }

  List<Progress> progress() {
    return tracked.values().stream().map(host -> host.progress).toList();
  }

  List<HostReport> report() {
    return tracked.entrySet().stream().map(host -> report(host.getKey(), host.getValue())).toList();
  }

  private static HostReport report(HostId host, TrackedHost trackedHost) {
    return new HostReport(
        host,
        trackedHost.progress,
        trackedHost.newest.version(),
        trackedHost.skipped,
        Optional.ofNullable(trackedHost.reason),
        trackedHost.versionBefore);
  }

  private TrackedHost of(HostId host) {
    return requireNonNull(tracked.get(host), () -> host + " is not in this upgrade");
  }
}
