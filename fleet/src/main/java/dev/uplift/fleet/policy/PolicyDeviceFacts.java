package dev.uplift.fleet.policy;

import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The facts about a device that a policy applies to.
///
/// @param decider name of the policy that decides; empty: this one
/// @param deciderTarget what that one brings; empty if it cannot be said
/// @param hosts one entry per host
/// @param check what an upgrade to the target would be told at its start
/// @param keptUntil when a hold or a pin of the device ends by itself, the first one; empty if none does
/// @param target in an open rollout of this policy to the target; empty if it is in none
/// @param startsAt when the policy begins with this device
/// @param lastAttempt the newest attempt of this policy to bring the target, if it has ended
/// @param silent why the device cannot be begun, because a host of it is not heard; empty if all are
public record PolicyDeviceFacts(
    String device,
    Optional<String> decider,
    Optional<ResolvedTarget> deciderTarget,
    List<RunningVersion> hosts,
    UpgradeCheck check,
    Optional<Instant> keptUntil,
    Optional<RolloutPlace> target,
    Instant startsAt,
    Optional<Attempt> lastAttempt,
    Optional<String> silent) {
  public PolicyDeviceFacts {
    hosts = List.copyOf(hosts);
  }

  /// What a host runs.
  ///
  /// @param sequence empty if the version was never published, or never reported
  /// @param offer what its repositories offer for the package; empty if it does not say
  public record RunningVersion(String host, String version, Optional<Long> sequence, Optional<OfferedUpdates> offer) {
    /// Of a host that does not say what is offered.
    public RunningVersion(String host, String version, Optional<Long> sequence) {
      this(host, version, sequence, Optional.empty());
    }

    boolean isLeftToDo() {
      return offer.filter(OfferedUpdates::isLeftToDo).isPresent();
    }

    boolean isAtLeast(long other) {
      return sequence.filter(own -> own >= other).isPresent();
    }
  }

  /// Where the device is in a rollout.
  ///
  /// @param waiting what the rollout waits for; empty if it goes on
  public record RolloutPlace(
      String rollout, TargetState state, RolloutState rolloutState, Optional<RolloutStandstill> waiting) {
    /// In one that goes on.
    public RolloutPlace(String rollout, TargetState state) {
      this(rollout, state, RolloutState.RUNNING, Optional.empty());
    }

    /// Returns whether its turn comes when the rollout goes on.
    boolean isToCome() {
      return state == TargetState.PENDING && rolloutState != RolloutState.ABORTING;
    }

    boolean isStopped() {
      return waiting.filter(why -> why.reason() == WaitReason.STOPPED).isPresent();
    }

    /// Begins with these words.
    String describe(String what) {
      return waiting
          .map(RolloutStandstill::message)
          .filter(message -> !message.isEmpty())
          .map(message -> what + ": " + message)
          .orElse(what);
    }
  }

  /// What a rollout waits for.
  ///
  /// @param message for people
  public record RolloutStandstill(WaitReason reason, String message) {}

  /// An attempt that has ended.
  ///
  /// @param succeeded whether the device ran the release at its end
  public record Attempt(Instant endedAt, boolean succeeded) {}
}
