package dev.uplift.fleet.rollout;

import java.util.Optional;

/// What operators, or the policy, have ordered for a running rollout. Each `by` names the actor and
/// the reason.
///
/// @param pausedBy the actor of the pause; empty if it is not paused
/// @param abortedBy the actor of the abort; empty if it is not aborted
/// @param abortRunning whether what is in work is aborted too
/// @param approvedBy the actor who approved the current wave
/// @param openedBy the actor who began the current wave before its time
/// @param nextWaveBy the actor who ordered the next wave now
/// @param remainingSkippedBy the actor who skipped the rest of the current wave
/// @param rollingBackWave number of the wave whose devices are being reverted
public record RolloutControl(
    Optional<String> pausedBy,
    Optional<String> abortedBy,
    boolean abortRunning,
    Optional<String> approvedBy,
    Optional<String> openedBy,
    Optional<String> nextWaveBy,
    Optional<String> remainingSkippedBy,
    Optional<Integer> rollingBackWave) {

  public static final RolloutControl NONE =
      new RolloutControl(
          Optional.empty(),
          Optional.empty(),
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /// Whether a device may be started or told to proceed: not once a pause or an abort was answered.
  public boolean mayStart() {
    return pausedBy.isEmpty() && abortedBy.isEmpty();
  }

  /// Whether a device may be reverted.
  public boolean mayRevert() {
    return rollingBackWave.isPresent() && abortedBy.isEmpty();
  }

  public RolloutControl paused(String by) {
    return new RolloutControl(
        Optional.of(by),
        abortedBy,
        abortRunning,
        approvedBy,
        openedBy,
        nextWaveBy,
        remainingSkippedBy,
        rollingBackWave);
  }

  public RolloutControl resumed() {
    return new RolloutControl(
        Optional.empty(),
        abortedBy,
        abortRunning,
        approvedBy,
        openedBy,
        nextWaveBy,
        remainingSkippedBy,
        rollingBackWave);
  }

  /// Keeps the actor of the first abort, and `abortRunning` once it is set.
  public RolloutControl aborted(String by, boolean harder) {
    return new RolloutControl(
        pausedBy,
        abortedBy.or(() -> Optional.of(by)),
        abortRunning || harder,
        approvedBy,
        openedBy,
        nextWaveBy,
        remainingSkippedBy,
        rollingBackWave);
  }

  public RolloutControl approved(String by) {
    return new RolloutControl(
        pausedBy,
        abortedBy,
        abortRunning,
        Optional.of(by),
        openedBy,
        nextWaveBy,
        remainingSkippedBy,
        rollingBackWave);
  }

  /// Somebody wants the next wave now. Of a wave that has not begun that means this one.
  public RolloutControl nextWave(String by, boolean begun) {
    return new RolloutControl(
        pausedBy,
        abortedBy,
        abortRunning,
        approvedBy,
        begun ? openedBy : Optional.of(by),
        begun ? Optional.of(by) : nextWaveBy,
        remainingSkippedBy,
        rollingBackWave);
  }

  public RolloutControl remainingSkipped(String by) {
    return new RolloutControl(
        pausedBy,
        abortedBy,
        abortRunning,
        approvedBy,
        openedBy,
        nextWaveBy,
        Optional.of(by),
        rollingBackWave);
  }

  /// Rolls the wave back; the rollout is paused meanwhile and afterwards.
  public RolloutControl rollingBack(int wave, String by) {
    return new RolloutControl(
        Optional.of(by),
        abortedBy,
        abortRunning,
        approvedBy,
        openedBy,
        nextWaveBy,
        remainingSkippedBy,
        Optional.of(wave));
  }

  /// All its devices have answered.
  public RolloutControl rolledBack() {
    return new RolloutControl(
        pausedBy,
        abortedBy,
        abortRunning,
        approvedBy,
        openedBy,
        nextWaveBy,
        remainingSkippedBy,
        Optional.empty());
  }

  /// The control for the next wave: an approval is dropped, and a next wave that was ordered begins
  /// whatever its time.
  public RolloutControl atNextWave() {
    return new RolloutControl(
        pausedBy,
        abortedBy,
        abortRunning,
        Optional.empty(),
        nextWaveBy,
        Optional.empty(),
        Optional.empty(),
        rollingBackWave);
  }
}
