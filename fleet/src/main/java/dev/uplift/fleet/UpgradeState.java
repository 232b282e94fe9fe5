package dev.uplift.fleet;

import dev.uplift.fleet.UpgradeAction.Abort;
import dev.uplift.fleet.UpgradeAction.Approve;
import dev.uplift.fleet.UpgradeAction.Deny;
import dev.uplift.fleet.UpgradeAction.ExtendDeadline;
import dev.uplift.fleet.UpgradeAction.Pause;
import dev.uplift.fleet.UpgradeAction.Resume;
import dev.uplift.fleet.UpgradeAction.RetryStep;
import dev.uplift.fleet.UpgradeAction.SkipHost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The part of a running upgrade's state that decides which actions of operators it accepts.
///
/// @param stoppable whether it still goes forward and nothing has stopped it
/// @param awaitingOperator the hosts whose failed step waits for an operator's decision
/// @param notAfter its deadline
/// @param author the person whose own approval does not count; empty: no approval is required
public record UpgradeState(
    boolean stoppable,
    boolean paused,
    List<HostId> awaitingOperator,
    Instant notAfter,
    Optional<String> author,
    boolean approved) {

  /// The deadline is at most this far away.
  public static final Duration MAX_DURATION = Duration.ofDays(14);

  public UpgradeState {
    awaitingOperator = List.copyOf(awaitingOperator);
  }

  /// Returns why the upgrade refuses the action now, as a sentence without its subject; empty: it accepts the action.
  /// The workflow's validators and REST's `?validate=true` both ask this.
  public Optional<String> refusal(UpgradeAction action, Instant now) {
    return switch (action) {
      case Abort() -> refusalIfStopped();
      case Pause() ->
          refusalIfStopped()
              .or(() -> refusalIf(paused, "is paused already"))
              // A pause ends at the deadline, and the upgrade with it: this one would roll back at once.
              .or(() ->
                  refusalIf(!now.isBefore(notAfter), "is past its deadline, and is paused once that is extended"));
      case Resume() -> refusalIf(!paused, "is not paused");
      case RetryStep(HostId host) -> refusalUnlessAwaited(host);
      case SkipHost(HostId host) -> refusalUnlessAwaited(host);
      case ExtendDeadline(Instant until) ->
          refusalIfStopped()
              .or(() -> refusalIf(!until.isAfter(notAfter), "has until " + notAfter + " already"))
              .or(() ->
                  refusalIf(
                      until.isAfter(now.plus(MAX_DURATION)),
                      "has at most %d days from now".formatted(MAX_DURATION.toDays())));
      case Approve(String by) -> refusalOfApproval(by);
      case Deny(String by) -> refusalOfApproval(by);
    };
  }

  private Optional<String> refusalIfStopped() {
    return refusalIf(!stoppable, "is stopped already or rolls back");
  }

  private Optional<String> refusalUnlessAwaited(HostId host) {
    return refusalIf(!awaitingOperator.contains(host), "does not wait for an operator's decision about " + host);
  }

  private Optional<String> refusalOfApproval(String by) {
    return refusalIfStopped()
        .or(() -> refusalIf(author.isEmpty(), "needs no approval"))
        .or(() -> refusalIf(approved, "is approved already"))
        .or(() -> refusalIf(isAuthor(by), "needs the approval of another person than " + by));
  }

  private boolean isAuthor(String by) {
    return author.filter(name -> CallerName.maybeSamePerson(name, by)).isPresent();
  }

  private static Optional<String> refusalIf(boolean refused, String reason) {
    return refused ? Optional.of(reason) : Optional.empty();
  }
}
