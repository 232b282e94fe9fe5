package dev.uplift.activities.rollout;

import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.WaveRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/// Measures how much of the soak of a wave is watched, and keeps it in the wave's row. Time counts between two checks
/// that follow each other closely, if every upgraded device was heard on the release at both of them and in between. So
/// a server that was stopped, frozen or cut off adds nothing. For one activity execution.
final class SoakWatcher {
  /// If checks are further apart, this server stood still.
  private static final Duration MAX_GAP = Duration.ofSeconds(15);

  /// What a killed server loses at most.
  private static final Duration WRITE_INTERVAL = Duration.ofSeconds(15);

  private static final int MAX_NAMES = 3;

  private final RolloutRepositories repositories;
  private Optional<Period> period = Optional.empty();

  /// Uninterrupted checks that found every device.
  ///
  /// @param lastEndedAt of the wave; with another one the soak begins again
  /// @param begin when it was first checked
  /// @param heardBefore up to when all devices had been heard then
  /// @param lastCheck when it was last checked
  /// @param written so much of it is in the row
  private record Period(
      int wave, Instant lastEndedAt, Instant begin, Instant heardBefore, Instant lastCheck, Duration written) {
    boolean continuesAt(WaveRow row, Instant now) {
      return wave == row.number()
          && row.lastEndedAt().equals(Optional.of(lastEndedAt))
          && !now.isBefore(lastCheck)
          && !now.isAfter(lastCheck.plus(MAX_GAP));
    }

    /// A device that has not been heard again since the begin adds nothing.
    Duration watched(Instant heard, Instant now) {
      Duration heardFor = Duration.between(heardBefore, heard);
      Duration checkedFor = Duration.between(begin, now);
      Duration both = heardFor.compareTo(checkedFor) < 0 ? heardFor : checkedFor;
      return both.compareTo(written) < 0 ? written : both;
    }

    Period checked(Instant now, Duration inRow) {
      return new Period(wave, lastEndedAt, begin, heardBefore, now, inRow);
    }
  }

  SoakWatcher(RolloutRepositories repositories) {
    this.repositories = repositories;
  }

  /// Adds what this check has shown.
  ///
  /// @param soak how long the wave is to be watched
  /// @return what is left then, zero if it has soaked
  Duration record(RolloutRow row, Duration soak, WaveHealthCheck.Report report, Instant now) {
    WaveRow wave = repositories.waves().find(row.id(), row.currentWave()).orElseThrow();
    if (wave.lastEndedAt().isEmpty() || wave.watched().compareTo(soak) >= 0) {
      period = Optional.empty();
      return Duration.ZERO;
    }
    String unheard = names(report.unheard());
    if (!unheard.equals(wave.unheard())) {
      repositories.waves().setUnheard(row.id(), wave.number(), unheard);
    }
    if (!report.unheard().isEmpty()) {
      period = Optional.empty();
      return soak.minus(wave.watched());
    }
    Instant heard = report.heardUntil().orElse(now);
    if (period.filter(current -> current.continuesAt(wave, now)).isEmpty()) {
      Instant lastEndedAt = wave.lastEndedAt().get();
      period = Optional.of(new Period(wave.number(), lastEndedAt, now, heard, now, Duration.ZERO));
      return soak.minus(wave.watched());
    }
    return extend(row, wave, soak, heard, now);
  }

  private Duration extend(RolloutRow row, WaveRow wave, Duration soak, Instant heard, Instant now) {
    Period current = period.orElseThrow();
    Duration total = current.watched(heard, now);
    Duration more = total.minus(current.written());
    Duration left = soak.minus(wave.watched()).minus(more);
    boolean write = more.compareTo(WRITE_INTERVAL) >= 0 || !left.isPositive();
    if (!write) {
      period = Optional.of(current.checked(now, current.written()));
      return left;
    }
    Instant from = current.begin().plus(current.written());
    boolean added = repositories.waves().addWatched(row.id(), wave.number(), from, current.begin().plus(total));
    period = Optional.of(current.checked(now, total)).filter(_ -> added);
    return left;
  }

  private static String names(Collection<String> devices) {
    String first = devices.stream().sorted().limit(MAX_NAMES).collect(Collectors.joining(", "));
    int more = devices.size() - MAX_NAMES;
    return more > 0 ? "%s and %d more".formatted(first, more) : first;
  }
}
