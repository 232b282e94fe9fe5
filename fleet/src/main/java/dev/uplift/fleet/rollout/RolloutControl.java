package dev.uplift.fleet.rollout;

import java.util.Optional;

/// What persons, or the policy on their behalf, have said about a rollout that runs. Each `by` is
/// who and why in words.
///
/// @param pausedBy who paused it, if it is paused
/// @param abortedBy who aborted it, if somebody did
/// @param abortRunning whether what is in work is aborted too
/// @param approvedBy who said that the current wave may begin
/// @param openedBy who said that the current wave begins now, whatever its time
/// @param nextWaveBy who said that the next wave begins now
/// @param remainingSkippedBy who said that the current wave is done
/// @param rollingBackWave number of the wave that is rolled back, while its devices go back
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

  /// Whether a device may be started or told to go on: once somebody was told that it is paused or
  /// stopped, none is any more.
  public boolean mayStart() {
    return pausedBy.isEmpty() && abortedBy.isEmpty();
  }

  /// Whether a device may be taken back.
  public boolean mayRevert() {
    return rollingBackWave.isPresent() && abortedBy.isEmpty();
  }

  public RolloutControl paused(String by) {
    return new RolloutControl(
        Optional.of(by), abortedBy, abortRunning, approvedBy, openedBy, nextWaveBy, remainingSkippedBy, rollingBackWave);
  }

  public RolloutControl resumed() {
    return new RolloutControl(
        Optional.empty(), abortedBy, abortRunning, approvedBy, openedBy, nextWaveBy, remainingSkippedBy, rollingBackWave);
  }

  /// The first one who aborted stays the one who did; hard stays hard.
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
        pausedBy, abortedBy, abortRunning, Optional.of(by), openedBy, nextWaveBy, remainingSkippedBy, rollingBackWave);
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
        pausedBy, abortedBy, abortRunning, approvedBy, openedBy, nextWaveBy, Optional.of(by), rollingBackWave);
  }

  /// The wave goes back; the rollout is paused meanwhile and after.
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
        pausedBy, abortedBy, abortRunning, approvedBy, openedBy, nextWaveBy, remainingSkippedBy, Optional.empty());
  }

  /// What still holds when the next wave is the current one: an approval was for the one before,
  /// and who wanted the next one now, wants it to begin whatever its time.
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
