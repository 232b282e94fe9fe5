package dev.uplift.fleet.why;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.window.WindowSchedule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Everything that is known about a package of a device, as far as it says why it is as it is.
///
/// @param hosts of the device, in the order in which they are upgraded
/// @param stop in force in the tenant
/// @param pins in force, of this package
/// @param hold in force
/// @param policies that apply, the one that decides first
/// @param rollouts of the package in which the device is or which left it out, the one that comes first at the front;
///   ended ones last, newest first
/// @param running the upgrade of the device that runs, of any package
/// @param last the newest upgrade of the package that has ended
/// @param windows that count for what is wanted; without levels where they are ignored
/// @param refusal why an upgrade to the wanted release would be declined now
public record ExplanationFacts(
    DeviceId device,
    String packageName,
    List<ObservedHost> hosts,
    Optional<ActiveStop> stop,
    List<ActivePin> pins,
    Optional<ActiveHold> hold,
    List<ApplicablePolicy> policies,
    List<MemberRollout> rollouts,
    Optional<RunningUpgrade> running,
    Optional<EndedUpgrade> last,
    WindowSchedule windows,
    Optional<Reason> refusal) {

  public ExplanationFacts {
    hosts = List.copyOf(hosts);
    pins = List.copyOf(pins);
    policies = List.copyOf(policies);
    rollouts = List.copyOf(rollouts);
  }

  /// Returns these facts with those that depend on what is wanted.
  public ExplanationFacts with(WindowSchedule newWindows, Optional<Reason> newRefusal) {
    return new ExplanationFacts(
        device, packageName, hosts, stop, pins, hold, policies, rollouts, running, last, newWindows, newRefusal);
  }

  /// Returns the upgrade that runs, if it is of this package.
  Optional<RunningUpgrade> ownUpgrade() {
    return running.filter(upgrade -> upgrade.packageName().equals(packageName));
  }

  /// Returns the rollout that would upgrade the device next, if one would.
  public Optional<MemberRollout> nextRollout() {
    return rollouts.stream().filter(MemberRollout::isWaitedFor).findFirst();
  }

  /// Returns the policy that decides, if one does.
  Optional<ApplicablePolicy> decidingPolicy() {
    return policies.stream().filter(ApplicablePolicy::decides).findFirst();
  }

  /// Returns the version that is wanted, if one is known to be.
  public Optional<String> wantedVersion() {
    return ownUpgrade()
        .filter(upgrade -> !upgrade.revert())
        .map(RunningUpgrade::version)
        .or(() -> nextRollout().map(MemberRollout::version))
        .or(() -> decidingPolicy().flatMap(ApplicablePolicy::version));
  }

  /// Returns whether every host runs this version, and no policy wants more of it.
  boolean isReached(String version) {
    return allRun(version) && decidingPolicy().filter(policy -> policy.offered() && !policy.isSatisfied()).isEmpty();
  }

  boolean allRun(String version) {
    return !hosts.isEmpty() && hosts.stream().allMatch(host -> host.version().equals(version));
  }

  /// The presence of a host.
  public enum HostPresenceState {
    ONLINE,
    SILENT,
    UNKNOWN
  }

  /// A host as it was last seen.
  ///
  /// @param version of the package; `unknown` if never reported
  /// @param since when its presence began to be so
  public record ObservedHost(HostId host, String version, HostPresenceState presence, Instant since) {
    boolean isVersionKnown() {
      return !version.equals(HostState.UNKNOWN);
    }
  }

  /// Nothing new begins in the tenant.
  public record ActiveStop(String reason, String by, Instant since) {}

  /// A version, or what is there, is to stay.
  ///
  /// @param version empty: whatever it is
  /// @param host on which its owner set it; empty for one that was set elsewhere
  public record ActivePin(
      Optional<String> version,
      String reason,
      String by,
      PinOrigin origin,
      Instant since,
      Optional<Instant> until,
      Optional<HostId> host) {
    /// One that an operator set, or the owner of a host.
    public ActivePin(
        Optional<String> version,
        String reason,
        String by,
        Instant since,
        Optional<Instant> until,
        Optional<HostId> host) {
      this(version, reason, by, host.isPresent() ? PinOrigin.HOST : PinOrigin.OPERATOR, since, until, host);
    }
  }

  /// Nothing begins on the device.
  public record ActiveHold(String reason, String by, Instant since, Optional<Instant> until) {}

  /// A policy that applies to the device and the package.
  ///
  /// @param version that it wants there now; empty if it wants none, or does not know
  /// @param offered whether it wants that version for what the repositories of the hosts offer, also where it runs
  /// @param decides whether it is the one that counts
  /// @param state of the device in it, a fixed word
  /// @param reason of that state, a fixed word
  /// @param message about that state, for people
  /// @param until when that state ends by itself
  public record ApplicablePolicy(
      String name,
      boolean enabled,
      Optional<String> version,
      boolean offered,
      boolean decides,
      String state,
      String reason,
      String message,
      Optional<Instant> until) {
    boolean isSatisfied() {
      return state.equals(PolicyDeviceState.SATISFIED.toString());
    }
  }

  /// A rollout of the package, and the part of the device in it.
  ///
  /// @param pause what the rollout waits for
  /// @param byThreshold whether it paused itself
  /// @param wave of the device; 0 if it was left out
  /// @param target empty if it was left out
  /// @param exclusion why it was left out, if it was
  public record MemberRollout(
      String name,
      String version,
      RolloutState state,
      Optional<RolloutPause> pause,
      boolean byThreshold,
      Optional<Instant> startAt,
      int currentWave,
      int wave,
      Optional<MemberTarget> target,
      Optional<LeftOut> exclusion) {
    /// Returns whether the device may still be started by it.
    boolean isWaitedFor() {
      return state != RolloutState.DRAFT
          && state != RolloutState.ENDED
          && target
              .filter(member ->
                  member.state() != TargetState.ENDED
                      && member.state() != TargetState.SKIPPED
                      && member.state() != TargetState.REVERTED)
              .isPresent();
    }
  }

  /// The wait of a rollout.
  public record RolloutPause(WaitReason reason, String message, Instant since, Optional<Instant> until) {}

  /// The device in a rollout.
  ///
  /// @param error the first one, for people
  public record MemberTarget(
      TargetState state,
      int attempt,
      Optional<TargetResult> result,
      Optional<String> error,
      Optional<Instant> startedAt,
      Optional<Instant> endedAt,
      Optional<Instant> notBefore,
      Optional<Instant> offlineSince) {}

  /// Why a rollout left the device out when it was planned.
  ///
  /// @param reason a fixed word
  /// @param detail for people
  public record LeftOut(String reason, String detail) {}

  /// An upgrade that runs.
  ///
  /// @param version that it installs, or that it reverts
  /// @param revert whether it reverts a finished upgrade
  /// @param rollout that started it
  /// @param phase empty if it is not known
  /// @param stopReason why it was stopped, if it was
  /// @param stuck why its workflow does not continue, if it does not
  /// @param unavailable why phase and waits are not known, if they are not
  public record RunningUpgrade(
      String id,
      String packageName,
      String version,
      boolean revert,
      String startedBy,
      Instant startedAt,
      Optional<String> rollout,
      Optional<String> phase,
      Optional<String> pausedBy,
      Optional<Reason> stopReason,
      List<StepWait> waits,
      Optional<String> stuck,
      Optional<String> unavailable) {
    public RunningUpgrade {
      waits = List.copyOf(waits);
    }
  }

  /// The reason of a wait.
  public enum WaitSubject {
    HOST_WORK,
    HOST_OFFLINE,
    PRESENCE,
    DECISION,
    RESUME,
    APPROVAL,
    ROLLOUT,
    WINDOW,
    BACK_OFF,
    SOAK
  }

  /// Something that a running upgrade waits for.
  public record StepWait(
      WaitSubject subject, String step, HostId host, String message, Instant since, Optional<Instant> until) {}

  /// An upgrade that has ended.
  ///
  /// @param revert whether it reverted another one
  /// @param counts whether a failure of it still counts against its release
  public record EndedUpgrade(
      String id,
      String version,
      Outcome outcome,
      Optional<Reason> reason,
      String startedBy,
      Instant endedAt,
      Optional<String> rollout,
      boolean revert,
      boolean counts) {}
}
