package dev.uplift.fleet.rollout;

import static dev.uplift.fleet.rollout.OperatorAction.ABORT;
import static dev.uplift.fleet.rollout.OperatorAction.ABORT_RUNNING;
import static dev.uplift.fleet.rollout.OperatorAction.ADD_DEVICE;
import static dev.uplift.fleet.rollout.OperatorAction.APPROVE;
import static dev.uplift.fleet.rollout.OperatorAction.CHANGE_RULES;
import static dev.uplift.fleet.rollout.OperatorAction.DENY;
import static dev.uplift.fleet.rollout.OperatorAction.NEXT_WAVE;
import static dev.uplift.fleet.rollout.OperatorAction.PAUSE;
import static dev.uplift.fleet.rollout.OperatorAction.RESUME;
import static dev.uplift.fleet.rollout.OperatorAction.RETRY_FAILED;
import static dev.uplift.fleet.rollout.OperatorAction.ROLL_BACK_WAVE;
import static dev.uplift.fleet.rollout.OperatorAction.SKIP_DEVICE;
import static dev.uplift.fleet.rollout.OperatorAction.SKIP_REMAINING;
import static dev.uplift.fleet.rollout.OperatorAction.START;

import dev.uplift.fleet.rollout.Decision.Abort;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.NextWave;
import dev.uplift.fleet.rollout.Decision.Pause;
import dev.uplift.fleet.rollout.Decision.RollBackWave;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The state of a rollout. A wait that needs a person is a state; one that ends by itself is a [WaitReason].
public enum RolloutState {
  /// Can still be changed in every part; nothing happens by itself.
  DRAFT,
  /// Starts by itself at its time.
  PLANNED,
  RUNNING,
  /// The next wave waits for another person than the author.
  WAITING_APPROVAL,
  /// Nothing is started until a person resumes it; running upgrades finish.
  PAUSED,
  /// The devices of a wave are reverted; then it is paused.
  ROLLING_BACK,
  /// Running upgrades finish, then it ends.
  ABORTING,
  ENDED;

  /// Where a rollout is after a decision.
  public static RolloutState after(Decision decision) {
    return switch (decision) {
      case Start _, NextWave _ -> RUNNING;
      case Pause _ -> PAUSED;
      case RollBackWave _ -> ROLLING_BACK;
      case Abort _ -> ABORTING;
      case Finish _ -> ENDED;
      case Wait(WaitReason reason, _, _) ->
          switch (reason) {
            case APPROVAL -> WAITING_APPROVAL;
            case PAUSED -> PAUSED;
            case ROLLING_BACK -> ROLLING_BACK;
            case ABORTING -> ABORTING;
            default -> RUNNING;
          };
    };
  }

  /// Why a person may not do so now, and what they may; empty: they may.
  public Optional<String> refusal(OperatorAction wish) {
    Set<OperatorAction> allowed = allowedActions();
    if (allowed.contains(wish)) {
      return Optional.empty();
    }
    return Optional.of(
        allowed.isEmpty()
            ? "the rollout has ended; start a new one"
            : "the rollout is %s; possible now: %s".formatted(this, words(allowed)));
  }

  /// The actions that an operator may take, in the order of the enum.
  public Set<OperatorAction> allowedActions() {
    return switch (this) {
      case DRAFT -> EnumSet.of(START);
      case PLANNED -> EnumSet.of(START, PAUSE, ABORT, ABORT_RUNNING, CHANGE_RULES);
      case RUNNING -> commonActionsAnd(PAUSE, NEXT_WAVE, SKIP_REMAINING);
      case WAITING_APPROVAL -> commonActionsAnd(PAUSE, APPROVE, DENY);
      case PAUSED -> commonActionsAnd(RESUME, SKIP_REMAINING);
      case ROLLING_BACK -> EnumSet.of(ABORT, ABORT_RUNNING, CHANGE_RULES);
      case ABORTING -> EnumSet.of(ABORT_RUNNING);
      case ENDED -> EnumSet.noneOf(OperatorAction.class);
    };
  }

  /// The actions possible at any time between start and end, and some more.
  private static Set<OperatorAction> commonActionsAnd(OperatorAction... more) {
    Set<OperatorAction> allowed =
        EnumSet.of(ABORT, ABORT_RUNNING, RETRY_FAILED, ROLL_BACK_WAVE, SKIP_DEVICE, ADD_DEVICE, CHANGE_RULES);
    allowed.addAll(List.of(more));
    return allowed;
  }

  private static String words(Set<OperatorAction> allowed) {
    return String.join(", ", allowed.stream().map(OperatorAction::toString).toList());
  }

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
