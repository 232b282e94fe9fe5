package dev.uplift.fleet.rollout;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// All that is looked at to decide what a rollout does now. The counts belong to one moment.
///
/// @param current the devices of the current wave
/// @param earlier those of the waves before it
/// @param later so many are in waves to come
/// @param judged what came of devices since the mark
/// @param lastEnded when the last device of the current wave ended
/// @param reverting so many are going back, or are to
public record Situation(
    WaveRules rules,
    Steering steering,
    WaveCounts current,
    WaveCounts earlier,
    int later,
    Judged judged,
    Pacing pacing,
    int reverting,
    Optional<Instant> lastEnded,
    Instant now) {

  int pending() {
    return current.pending() + earlier.pending();
  }

  int inWork() {
    return current.inWork() + earlier.inWork();
  }

  int ahead() {
    return current.ahead() + earlier.ahead();
  }

  /// Of all devices of the rollout.
  int all() {
    return current.all() + earlier.all() + later;
  }

  int succeeded() {
    return current.succeeded() + earlier.succeeded();
  }

  /// When the wave has soaked; empty if it has, or need not, also where its last device has ended
  /// while it was looked at, which is after `now`.
  Optional<Instant> soakEnd() {
    return steering.doneBy().isPresent() || rules.soak().isZero()
        ? Optional.empty()
        : lastEnded.map(end -> end.plus(rules.soak())).filter(now::isBefore);
  }

  /// When the answer changes by itself at the latest, whatever it is now.
  public Optional<Instant> lookAgain() {
    Optional<Instant> opens =
        rules.gate() instanceof Gate.Time(Instant time) ? Optional.of(time) : Optional.empty();
    return Stream.of(soakEnd(), opens, rules.notAfter())
        .flatMap(Optional::stream)
        .filter(now::isBefore)
        .min(Comparator.naturalOrder());
  }

  /// The inputs in words, for the log of decisions.
  public String inWords() {
    return "%s: %s; earlier waves: %s; later: %d pending; judged: %s; %d started in the last minute"
        .formatted(
            rules.title(),
            current.inWords(),
            earlier.inWords(),
            later,
            Words.counts(judged.counts()),
            pacing.inLastMinute());
  }
}
