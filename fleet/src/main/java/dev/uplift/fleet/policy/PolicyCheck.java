package dev.uplift.fleet.policy;

import static dev.uplift.fleet.policy.PolicyDeviceState.BLOCKED;
import static dev.uplift.fleet.policy.PolicyDeviceState.CONFLICT;
import static dev.uplift.fleet.policy.PolicyDeviceState.FAILED;
import static dev.uplift.fleet.policy.PolicyDeviceState.IN_PROGRESS;
import static dev.uplift.fleet.policy.PolicyDeviceState.SATISFIED;
import static dev.uplift.fleet.policy.PolicyDeviceState.UNKNOWN;
import static dev.uplift.fleet.policy.PolicyDeviceState.WAITING;

import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.policy.PolicyDeviceFacts.Attempt;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RolloutPlace;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RunningVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Decides where a device is with a policy, and whether the policy begins with it now.
public final class PolicyCheck {
  /// After an attempt that failed, and was not the fault of the release: else a device that always declines would get a
  /// new rollout again and again.
  public static final Duration RETRY_INTERVAL = Duration.ofHours(1);

  /// After an attempt that succeeded: something else has changed the device since, and may do so again and again.
  public static final Duration DRIFT_INTERVAL = Duration.ofMinutes(10);

  private static final String STOPPED = "stopped";

  private final ResolvedTarget target;
  private final UnknownVersion unknownVersion;
  private final Optional<Halt> halt;
  private final Instant now;

  /// Why a policy begins with no further device.
  ///
  /// @param state of the devices that are due
  /// @param reason fixed word
  /// @param message for people
  public record Halt(PolicyDeviceState state, String reason, String message) {
    /// The tenant is stopped.
    public static Halt stopped(String message) {
      return new Halt(BLOCKED, STOPPED, message);
    }

    boolean isStop() {
      return reason.equals(STOPPED);
    }

    /// It begins in runs, and this is none.
    public static Halt nextRun(PolicyRepeat.Cron cron) {
      return new Halt(WAITING, "next-run", "begins with the next run (%s)".formatted(cron));
    }

    /// The last rollout to the target was aborted, and not by the policy itself.
    public static Halt rolloutAborted(String message) {
      return new Halt(BLOCKED, "rollout-aborted", message);
    }
  }

  /// @param target what the policy asks for
  /// @param halt empty if it goes on
  public PolicyCheck(ResolvedTarget target, UnknownVersion unknownVersion, Optional<Halt> halt, Instant now) {
    this.target = target;
    this.unknownVersion = unknownVersion;
    this.halt = halt;
    this.now = now;
  }

  public PolicyDeviceStatus check(PolicyDeviceFacts facts) {
    return facts.decider().isPresent() ? ofOverruled(facts, facts.decider().get()) : ofDecider(facts);
  }

  /// Two policies that ask for the same are no conflict.
  private PolicyDeviceStatus ofOverruled(PolicyDeviceFacts facts, String decider) {
    if (facts.deciderTarget().filter(target::isMetBy).isEmpty()) {
      String wanted = facts.deciderTarget().map(other -> ", which brings " + other.release()).orElse("");
      return status(facts, CONFLICT, "overruled", "policy %s decides%s".formatted(decider, wanted));
    }
    return isSatisfied(facts)
        ? satisfied(facts)
        : status(facts, WAITING, "other-policy", "policy %s asks for the same, and brings it".formatted(decider));
  }

  private PolicyDeviceStatus ofDecider(PolicyDeviceFacts facts) {
    if (facts.hosts().isEmpty()) {
      return status(facts, BLOCKED, "no-hosts", "has no hosts");
    }
    if (facts.target().filter(place -> place.state().isInProgress()).isPresent()) {
      return status(facts, IN_PROGRESS, "upgrading", "in rollout " + facts.target().get().rollout());
    }
    if (isSatisfied(facts)) {
      return satisfied(facts);
    }
    if (target.offered() && facts.hosts().stream().noneMatch(RunningVersion::isLeftToDo)) {
      return status(facts, UNKNOWN, "offers-unknown", describeSilent(facts));
    }
    Optional<RunningVersion> unknown = facts.hosts().stream().filter(host -> host.sequence().isEmpty()).findFirst();
    if (unknown.isPresent() && unknownVersion == UnknownVersion.LEAVE) {
      return status(facts, UNKNOWN, "unknown-version", describeUnknown(unknown.get()));
    }
    return facts.check() instanceof UpgradeCheck.Declined(Reason reason) ? declined(facts, reason) : toBegin(facts);
  }

  private boolean isSatisfied(PolicyDeviceFacts facts) {
    if (target.offered()) {
      return !facts.hosts().isEmpty()
          && facts.hosts().stream().allMatch(host -> host.offer().isPresent() && !host.isLeftToDo());
    }
    return facts.check() instanceof UpgradeCheck.NoAction
        || (target.orNewer()
            && !facts.hosts().isEmpty()
            && facts.hosts().stream().allMatch(host -> host.isAtLeast(target.sequence())));
  }

  private static String describeSilent(PolicyDeviceFacts facts) {
    return facts.hosts().stream()
        .filter(host -> host.offer().isEmpty())
        .findFirst()
        .map(host -> host.host() + " does not say what its repositories offer")
        .orElseThrow();
  }

  private static String describeUnknown(RunningVersion host) {
    return host.version().equals(HostState.UNKNOWN)
        ? host.host() + " has not reported a version"
        : "%s runs %s, which was never published here".formatted(host.host(), host.version());
  }

  private static PolicyDeviceStatus declined(PolicyDeviceFacts facts, Reason reason) {
    return switch (reason.code()) {
      case "failed-before" -> status(facts, FAILED, reason.code(), reason.message());
      case "held", "pinned" -> status(facts, BLOCKED, reason.code(), reason.message(), facts.keptUntil(), false);
      default -> status(facts, BLOCKED, reason.code(), reason.message());
    };
  }

  private PolicyDeviceStatus toBegin(PolicyDeviceFacts facts) {
    Optional<RolloutPlace> toCome = facts.target().filter(RolloutPlace::isToCome);
    if (toCome.isPresent()) {
      return inRollout(facts, toCome.get());
    }
    if (now.isBefore(facts.startsAt())) {
      return waiting(facts, "start", "begins at " + facts.startsAt(), facts.startsAt());
    }
    Optional<Instant> again = facts.lastAttempt().map(PolicyCheck::nextAttempt).filter(now::isBefore);
    if (again.isPresent()) {
      return waiting(facts, "back-off", "is tried again at " + again.get(), again.get());
    }
    if (facts.target().isPresent()) {
      return status(facts, WAITING, "rollout-open", "waits for the end of rollout " + facts.target().get().rollout());
    }
    if (halt.isPresent()) {
      return status(facts, halt.get().state(), halt.get().reason(), halt.get().message());
    }
    return facts
        .silent()
        .map(why -> status(facts, WAITING, "offline", why))
        .orElseGet(() ->
            status(facts, WAITING, "due", "begins with " + target.release() + offers(facts), Optional.empty(), true));
  }

  /// A rollout that waits for a person blocks the device; else its turn comes by itself.
  private PolicyDeviceStatus inRollout(PolicyDeviceFacts facts, RolloutPlace place) {
    Optional<Halt> stop = halt.filter(Halt::isStop);
    if (stop.isPresent()) {
      return status(facts, BLOCKED, STOPPED, stop.get().message());
    }
    String rollout = "rollout " + place.rollout();
    if (place.isStopped()) {
      return status(facts, BLOCKED, STOPPED, place.describe(rollout));
    }
    return switch (place.rolloutState()) {
      case WAITING_APPROVAL -> status(facts, BLOCKED, "waiting-approval", place.describe(rollout));
      // It is paused once the wave is rolled back.
      case PAUSED, ROLLING_BACK -> status(facts, BLOCKED, "rollout-paused", place.describe(rollout));
      default -> status(facts, WAITING, "in-rollout", place.describe("waits for its turn in " + rollout));
    };
  }

  private String offers(PolicyDeviceFacts facts) {
    return facts.hosts().stream()
        .filter(host -> target.offered() && host.isLeftToDo())
        .findFirst()
        .map(host -> ": %s is offered %s".formatted(host.host(), host.offer().orElseThrow().describe()))
        .orElse("");
  }

  private static Instant nextAttempt(Attempt attempt) {
    return attempt.endedAt().plus(attempt.succeeded() ? DRIFT_INTERVAL : RETRY_INTERVAL);
  }

  private PolicyDeviceStatus satisfied(PolicyDeviceFacts facts) {
    if (target.offered()) {
      return status(facts, SATISFIED, "satisfied", describeTaken(facts));
    }
    String runs = facts.check() instanceof UpgradeCheck.NoAction ? "runs " : "runs a newer version than ";
    return status(facts, SATISFIED, "satisfied", runs + target.release());
  }

  private static String describeTaken(PolicyDeviceFacts facts) {
    return facts.hosts().stream()
        .flatMap(host ->
            host
                .offer()
                .filter(offer -> offer.updates() > 0)
                .map(offer ->
                    "the last upgrade has left what %s is offered: %s".formatted(host.host(), offer.describe()))
                .stream())
        .findFirst()
        .orElse("is offered nothing");
  }

  private static PolicyDeviceStatus waiting(PolicyDeviceFacts facts, String reason, String message, Instant until) {
    return status(facts, WAITING, reason, message, Optional.of(until), false);
  }

  private static PolicyDeviceStatus status(
      PolicyDeviceFacts facts, PolicyDeviceState state, String reason, String message) {
    return status(facts, state, reason, message, Optional.empty(), false);
  }

  private static PolicyDeviceStatus status(
      PolicyDeviceFacts facts,
      PolicyDeviceState state,
      String reason,
      String message,
      Optional<Instant> until,
      boolean isDue) {
    return new PolicyDeviceStatus(facts.device(), state, reason, message, facts.decider().isEmpty(), until, isDue);
  }
}
