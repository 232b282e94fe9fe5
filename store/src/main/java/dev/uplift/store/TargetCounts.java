package dev.uplift.store;

import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.WaveCounts;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/// How many devices of a rollout are where, at one moment.
///
/// @param parts each device is in one of them
public record TargetCounts(List<Part> parts) {
  public TargetCounts {
    parts = List.copyOf(parts);
  }

  /// So many devices of a wave that are in the same state.
  public record Part(
      int wave, TargetState state, boolean ahead, Optional<Verdict> verdict, int devices) {}

  public WaveCounts of(int wave) {
    return counts(number -> number == wave);
  }

  /// Of the waves before `wave`, together.
  public WaveCounts before(int wave) {
    return counts(number -> number < wave);
  }

  /// Of the waves after `wave`, together.
  public WaveCounts after(int wave) {
    return counts(number -> number > wave);
  }

  public WaveCounts all() {
    return counts(_ -> true);
  }

  /// So many are going back, or are to.
  public int toGoBack() {
    return sum(part -> part.state() == TargetState.TO_REVERT) + reverting();
  }

  /// So many are going back.
  public int reverting() {
    return sum(part -> part.state() == TargetState.REVERTING);
  }

  /// So many are there in all.
  public int devices() {
    return sum(_ -> true);
  }

  /// A device that goes back, or went, has ended: what came of it is its verdict as it stands.
  private WaveCounts counts(IntPredicate wave) {
    Map<Verdict, Integer> ended = new EnumMap<>(Verdict.class);
    parts.stream()
        .filter(part -> wave.test(part.wave()))
        .forEach(part ->
            part.verdict()
                .ifPresent(verdict -> ended.merge(verdict, part.devices(), Integer::sum)));
    return new WaveCounts(
        sum(part -> wave.test(part.wave()) && part.state() == TargetState.PENDING),
        sum(part -> wave.test(part.wave()) && isInWork(part) && !part.ahead()),
        sum(part -> wave.test(part.wave()) && isInWork(part) && part.ahead()),
        sum(part -> wave.test(part.wave()) && part.state() == TargetState.SKIPPED),
        ended);
  }

  private static boolean isInWork(Part part) {
    return switch (part.state()) {
      case STARTING, STARTED, PROCEEDING -> true;
      case PENDING, ENDED, SKIPPED, TO_REVERT, REVERTING, REVERTED -> false;
    };
  }

  private int sum(Predicate<Part> which) {
    return parts.stream().filter(which).mapToInt(Part::devices).sum();
  }
}
