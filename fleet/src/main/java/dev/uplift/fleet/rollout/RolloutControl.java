package dev.uplift.fleet.rollout;

import java.util.Optional;
import java.util.function.Consumer;

/// The orders of operators, or of the policy, for a running rollout. Each `by` names the actor and the reason.
///
/// @param pausedBy the actor of the pause; empty if it is not paused
/// @param abortedBy the actor of the abort; empty if it is not aborted
/// @param abortRunning whether what is in progress is aborted too
/// @param approvedBy the actor who approved the current wave
/// @param openedBy the actor who began the current wave before its time
/// @param nextWaveBy the actor who ordered the next wave now
/// @param remainingSkippedBy the actor who skipped the rest of the current wave
/// @param continuedBy the actor who resumed it after the current wave was over: it needs no more successes
/// @param rollingBackWave number of the wave whose devices are being reverted
/// @param pauseCause the kind of the actor of the pause; empty if it is not paused
public record RolloutControl(
    Optional<String> pausedBy,
    Optional<String> abortedBy,
    boolean abortRunning,
    Optional<String> approvedBy,
    Optional<String> openedBy,
    Optional<String> nextWaveBy,
    Optional<String> remainingSkippedBy,
    Optional<String> continuedBy,
    Optional<Integer> rollingBackWave,
    Optional<PauseCause> pauseCause) {

  public static final RolloutControl NONE =
      new RolloutControl(
          Optional.empty(),
          Optional.empty(),
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /// Returns whether a device may be started or told to proceed: not once a pause or an abort was answered.
  public boolean mayStart() {
    return pausedBy.isEmpty() && abortedBy.isEmpty();
  }

  /// Returns whether a device may be reverted.
  public boolean mayRevert() {
    return rollingBackWave.isPresent() && abortedBy.isEmpty();
  }

  /// An operator has paused it.
  public RolloutControl paused(String by) {
    return paused(by, PauseCause.OPERATOR);
  }

  public RolloutControl paused(String by, PauseCause cause) {
    return with(next -> {
      next.pausedBy = Optional.of(by);
      next.pauseCause = Optional.of(cause);
    });
  }

  /// The rollout goes on.
  ///
  /// @param over whether the current wave is over: then the next one may begin, whatever came of it
  public RolloutControl resumed(String by, boolean over) {
    return with(next -> {
      next.pausedBy = Optional.empty();
      next.pauseCause = Optional.empty();
      next.continuedBy = over ? Optional.of(by) : Optional.empty();
    });
  }

  /// Devices of it are tried again, and count again.
  public RolloutControl retried() {
    return with(next -> next.continuedBy = Optional.empty());
  }

  /// Keeps the actor of the first abort, and `abortRunning` once it is set.
  public RolloutControl aborted(String by, boolean harder) {
    return with(next -> {
      next.abortedBy = abortedBy.or(() -> Optional.of(by));
      next.abortRunning = abortRunning || harder;
    });
  }

  public RolloutControl approved(String by) {
    return with(next -> next.approvedBy = Optional.of(by));
  }

  /// The current wave needs another approval.
  public RolloutControl unapproved() {
    return with(next -> next.approvedBy = Optional.empty());
  }

  /// Orders the next wave now. If the current wave has not begun, that is this one.
  public RolloutControl nextWave(String by, boolean begun) {
    return with(next -> {
      if (begun) {
        next.nextWaveBy = Optional.of(by);
      } else {
        next.openedBy = Optional.of(by);
      }
    });
  }

  public RolloutControl remainingSkipped(String by) {
    return with(next -> next.remainingSkippedBy = Optional.of(by));
  }

  /// Rolls the wave back; the rollout is paused meanwhile and afterwards.
  public RolloutControl rollingBack(int wave, String by, PauseCause cause) {
    return paused(by, cause).with(next -> next.rollingBackWave = Optional.of(wave));
  }

  /// As above, because an operator wants it.
  public RolloutControl rollingBack(int wave, String by) {
    return rollingBack(wave, by, PauseCause.OPERATOR);
  }

  /// All its devices have answered.
  public RolloutControl rolledBack() {
    return with(next -> next.rollingBackWave = Optional.empty());
  }

  /// The control for the next wave: an approval is dropped, and a next wave that was ordered begins whatever its time.
  public RolloutControl atNextWave() {
    return with(next -> {
      next.approvedBy = Optional.empty();
      next.openedBy = nextWaveBy;
      next.nextWaveBy = Optional.empty();
      next.remainingSkippedBy = Optional.empty();
      next.continuedBy = Optional.empty();
    });
  }

  private RolloutControl with(Consumer<Draft> change) {
    Draft next = new Draft(this);
    change.accept(next);
    return new RolloutControl(
        next.pausedBy,
        next.abortedBy,
        next.abortRunning,
        next.approvedBy,
        next.openedBy,
        next.nextWaveBy,
        next.remainingSkippedBy,
        next.continuedBy,
        next.rollingBackWave,
        next.pauseCause);
  }

  /// A copy that can be changed.
  private static final class Draft {
    Optional<String> pausedBy;
    Optional<String> abortedBy;
    boolean abortRunning;
    Optional<String> approvedBy;
    Optional<String> openedBy;
    Optional<String> nextWaveBy;
    Optional<String> remainingSkippedBy;
    Optional<String> continuedBy;
    Optional<Integer> rollingBackWave;
    Optional<PauseCause> pauseCause;

    Draft(RolloutControl control) {
      this.pausedBy = control.pausedBy;
      this.abortedBy = control.abortedBy;
      this.abortRunning = control.abortRunning;
      this.approvedBy = control.approvedBy;
      this.openedBy = control.openedBy;
      this.nextWaveBy = control.nextWaveBy;
      this.remainingSkippedBy = control.remainingSkippedBy;
      this.continuedBy = control.continuedBy;
      this.rollingBackWave = control.rollingBackWave;
      this.pauseCause = control.pauseCause;
    }
  }
}
