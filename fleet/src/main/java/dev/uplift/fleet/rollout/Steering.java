package dev.uplift.fleet.rollout;

import java.util.Optional;

/// What persons, or the policy on their behalf, have said about a rollout that runs. Each `by` is
/// who and why in words.
///
/// @param pausedBy who paused it, if it is paused
/// @param stoppedBy who aborted it, if somebody did
/// @param hard whether what is in work is aborted too
/// @param approvedBy who said that the current wave may begin
/// @param opensNowBy who said that the current wave begins now, whatever its time
/// @param nextWaveBy who said that the next wave begins now
/// @param doneBy who said that the current wave is done
/// @param rollsBack number of the wave that is rolled back, while its devices go back
public record Steering(
    Optional<String> pausedBy,
    Optional<String> stoppedBy,
    boolean hard,
    Optional<String> approvedBy,
    Optional<String> opensNowBy,
    Optional<String> nextWaveBy,
    Optional<String> doneBy,
    Optional<Integer> rollsBack) {

  public static final Steering NONE =
      new Steering(
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
    return pausedBy.isEmpty() && stoppedBy.isEmpty();
  }

  /// Whether a device may be taken back.
  public boolean mayTakeBack() {
    return rollsBack.isPresent() && stoppedBy.isEmpty();
  }

  public Steering paused(String by) {
    return new Steering(
        Optional.of(by), stoppedBy, hard, approvedBy, opensNowBy, nextWaveBy, doneBy, rollsBack);
  }

  public Steering resumed() {
    return new Steering(
        Optional.empty(), stoppedBy, hard, approvedBy, opensNowBy, nextWaveBy, doneBy, rollsBack);
  }

  /// The first one who aborted stays the one who did; hard stays hard.
  public Steering stopped(String by, boolean harder) {
    return new Steering(
        pausedBy,
        stoppedBy.or(() -> Optional.of(by)),
        hard || harder,
        approvedBy,
        opensNowBy,
        nextWaveBy,
        doneBy,
        rollsBack);
  }

  public Steering approved(String by) {
    return new Steering(
        pausedBy, stoppedBy, hard, Optional.of(by), opensNowBy, nextWaveBy, doneBy, rollsBack);
  }

  /// Somebody wants the next wave now. Of a wave that has not begun that means this one.
  public Steering nextWave(String by, boolean begun) {
    return new Steering(
        pausedBy,
        stoppedBy,
        hard,
        approvedBy,
        begun ? opensNowBy : Optional.of(by),
        begun ? Optional.of(by) : nextWaveBy,
        doneBy,
        rollsBack);
  }

  public Steering markedDone(String by) {
    return new Steering(
        pausedBy, stoppedBy, hard, approvedBy, opensNowBy, nextWaveBy, Optional.of(by), rollsBack);
  }

  /// The wave goes back; the rollout is paused meanwhile and after.
  public Steering rollingBack(int wave, String by) {
    return new Steering(
        Optional.of(by),
        stoppedBy,
        hard,
        approvedBy,
        opensNowBy,
        nextWaveBy,
        doneBy,
        Optional.of(wave));
  }

  /// All its devices have answered.
  public Steering rolledBack() {
    return new Steering(
        pausedBy, stoppedBy, hard, approvedBy, opensNowBy, nextWaveBy, doneBy, Optional.empty());
  }

  /// What still holds when the next wave is the current one: an approval was for the one before,
  /// and who wanted the next one now, wants it to begin whatever its time.
  public Steering atNextWave() {
    return new Steering(
        pausedBy,
        stoppedBy,
        hard,
        Optional.empty(),
        nextWaveBy,
        Optional.empty(),
        Optional.empty(),
        rollsBack);
  }
}
