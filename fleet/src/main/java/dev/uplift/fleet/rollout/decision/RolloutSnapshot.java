package dev.uplift.fleet.rollout.decision;

import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.ResultCounts;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.plan.Gate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// All that is looked at to decide what a rollout does now. The counts belong to one moment.
///
/// @param current the devices of the current wave
/// @param earlier those of the waves before it
/// @param later so many are in waves to come
/// @param results what came of devices since the mark
/// @param lastEndedAt when the last device of the current wave ended
/// @param soakWatch how much of the soak of the current wave was watched
/// @param reverting so many are going back, or are to
/// @param stopped why nothing begins in the tenant; empty if it is not stopped
public record RolloutSnapshot(
    WaveRules rules,
    RolloutControl control,
    WaveCounts current,
    WaveCounts earlier,
    int later,
    ResultCounts results,
    RecentStarts recentStarts,
    int reverting,
    Optional<Instant> lastEndedAt,
    SoakWatch soakWatch,
    Instant now,
    Optional<String> stopped) {

  /// A snapshot of a rollout in a tenant that is not stopped.
  public RolloutSnapshot(
      WaveRules rules,
      RolloutControl control,
      WaveCounts current,
      WaveCounts earlier,
      int later,
      ResultCounts results,
      RecentStarts recentStarts,
      int reverting,
      Optional<Instant> lastEndedAt,
      SoakWatch soakWatch,
      Instant now) {
    this(
        rules,
        control,
        current,
        earlier,
        later,
        results,
        recentStarts,
        reverting,
        lastEndedAt,
        soakWatch,
        now,
        Optional.empty());
  }

  public RolloutSnapshot {
    // There are histories without it.
    stopped = stopped == null ? Optional.empty() : stopped;
  }

  /// Devices of this wave and the ones before it that have not begun.
  public int pending() {
    return current.pending() + earlier.pending();
  }

  public int inProgress() {
    return current.inProgress() + earlier.inProgress();
  }

  public int preparing() {
    return current.preparing() + earlier.preparing();
  }

  /// Pending and prepared devices that are not heard.
  public int offline() {
    return current.offline() + earlier.offline();
  }

  /// When the last of them was found offline.
  Optional<Instant> lastOfflineAt() {
    return Stream.of(current.lastOfflineAt(), earlier.lastOfflineAt())
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder());
  }

  /// Of all devices of the rollout.
  int total() {
    return current.total() + earlier.total() + later;
  }

  public int succeeded() {
    return current.succeeded() + earlier.succeeded();
  }

  /// Devices that were tried and do not run the release.
  public int failed() {
    return current.failed() + earlier.failed();
  }

  /// Devices whose upgrade, or revert, has begun and not ended.
  int open() {
    return inProgress() + preparing() + reverting;
  }

  /// Returns whether the first wave has begun.
  public boolean begun() {
    return rules.number() > 0;
  }

  /// The part of the soak that has not been watched yet; zero if the wave has soaked, or need not.
  Duration remainingSoak() {
    Duration left = rules.soak().minus(soakWatch.watched());
    boolean soaks = lastEndedAt.isPresent() && control.remainingSkippedBy().isEmpty() && left.isPositive();
    return soaks ? left : Duration.ZERO;
  }

  /// When the wave has soaked at the earliest; empty if it has, or if devices were not heard when that time came.
  Optional<Instant> soakEnd() {
    Duration left = remainingSoak();
    return soakWatch
        .until()
        .or(() -> lastEndedAt)
        .filter(_ -> left.isPositive())
        .map(from -> from.plus(left))
        .filter(now::isBefore);
  }

  /// When the answer changes by itself at the latest, whatever it is now.
  public Optional<Instant> recheckAt() {
    Optional<Instant> opens = rules.gate() instanceof Gate.Time(Instant time) ? Optional.of(time) : Optional.empty();
    return Stream.of(soakEnd(), opens, rules.notAfter())
        .flatMap(Optional::stream)
        .filter(now::isBefore)
        .min(Comparator.naturalOrder());
  }

  /// The inputs in words, for the log of decisions.
  public String describe() {
    return "%s: %s; earlier waves: %s; later: %d pending; results: %s; %d started in the last minute"
        .formatted(
            rules.title(),
            current.describe(),
            earlier.describe(),
            later,
            Phrases.describeCounts(results.counts()),
            recentStarts.inLastMinute());
  }
}
