package dev.uplift.fleet.policy;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.fleet.OfferedUpdates.State;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.policy.PolicyDeviceFacts.Attempt;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RolloutPlace;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RolloutStandstill;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RunningVersion;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The facts of a device with one host on 1.4.0, to be changed one by one.
final class Facts {
  static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  private final List<RunningVersion> hosts =
      new ArrayList<>(List.of(new RunningVersion("left", "1.4.0", Optional.of(140L))));
  private Optional<String> decider = Optional.empty();
  private Optional<ResolvedTarget> deciderTarget = Optional.empty();
  private UpgradeCheck check = new UpgradeCheck.Proceed();
  private Optional<Instant> keptUntil = Optional.empty();
  private Optional<RolloutPlace> place = Optional.empty();
  private Instant startsAt = NOW.minusSeconds(1);
  private Optional<Attempt> attempt = Optional.empty();
  private Optional<String> silent = Optional.empty();

  Facts check(UpgradeCheck found) {
    check = found;
    return this;
  }

  Facts declined(String code) {
    return check(new UpgradeCheck.Declined(Reason.error(ErrorClass.DECLINED, code, "because")));
  }

  Facts keptUntil(Instant time) {
    keptUntil = Optional.of(time);
    return this;
  }

  Facts withoutHosts() {
    hosts.clear();
    return this;
  }

  Facts host(String version, @Nullable Long sequence) {
    hosts.clear();
    return secondHost(version, sequence);
  }

  Facts secondHost(String version, @Nullable Long sequence) {
    hosts.add(new RunningVersion("left", version, Optional.ofNullable(sequence)));
    return this;
  }

  /// It runs 1.5.0, and three updates are offered.
  Facts offers(State state) {
    return onlyHost("1.5.0", 150L, new OfferedUpdates(3, 1, NOW.minus(Duration.ofHours(1)), state));
  }

  Facts offersNothing() {
    return onlyHost("1.5.0", 150L, new OfferedUpdates(0, 0, NOW, State.NEW));
  }

  Facts oldWithoutOffers() {
    return onlyHost("1.4.0", 140L, new OfferedUpdates(0, 0, NOW, State.NEW));
  }

  Facts unpublishedWithOffers() {
    return onlyHost("9-custom", null, new OfferedUpdates(3, 1, NOW, State.NEW));
  }

  private Facts onlyHost(String version, @Nullable Long sequence, OfferedUpdates offer) {
    hosts.clear();
    hosts.add(new RunningVersion("left", version, Optional.ofNullable(sequence), Optional.of(offer)));
    return this;
  }

  Facts place(TargetState state) {
    place = Optional.of(new RolloutPlace("r-1", state));
    return this;
  }

  /// It is pending in a rollout that is in this state.
  Facts pendingIn(RolloutState state) {
    place = Optional.of(new RolloutPlace("r-1", TargetState.PENDING, state, Optional.empty()));
    return this;
  }

  /// It is pending in a rollout that is in this state, and waits.
  Facts pendingIn(RolloutState state, WaitReason reason, String message) {
    place =
        Optional.of(
            new RolloutPlace("r-1", TargetState.PENDING, state, Optional.of(new RolloutStandstill(reason, message))));
    return this;
  }

  Facts startsAt(Instant time) {
    startsAt = time;
    return this;
  }

  Facts attempt(Duration ago, boolean succeeded) {
    attempt = Optional.of(new Attempt(NOW.minus(ago), succeeded));
    return this;
  }

  Facts silent(String why) {
    silent = Optional.of(why);
    return this;
  }

  Facts decider(ResolvedTarget target) {
    decider = Optional.of("other");
    deciderTarget = Optional.of(target);
    return this;
  }

  Facts deciderWithoutRelease() {
    decider = Optional.of("other");
    return this;
  }

  PolicyDeviceFacts build() {
    return new PolicyDeviceFacts(
        "north-1", decider, deciderTarget, hosts, check, keptUntil, place, startsAt, attempt, silent);
  }
}
