package dev.uplift.store.rollout;

import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/// How many devices of a rollout are where, at one moment.
///
/// @param groups each device is in one of them
public record TargetCounts(List<Group> groups) {
  public TargetCounts {
    groups = List.copyOf(groups);
  }

  /// So many devices of a wave that are in the same state.
  ///
  /// @param offline so many of them are not heard
  /// @param lastOfflineAt when the last of these was found offline
  @MappedEntity("rollout_target")
  public record Group(
      int wave,
      @MappedProperty(converter = TextColumn.class) TargetState state,
      boolean prepareAhead,
      @MappedProperty(converter = TextColumn.class) Optional<TargetResult> result,
      int devices,
      int offline,
      @MappedProperty(converter = TimeColumn.class) Optional<Instant> lastOfflineAt) {}

  public WaveCounts ofWave(int wave) {
    return counts(number -> number == wave);
  }

  /// Of the waves before `wave`, together.
  public WaveCounts beforeWave(int wave) {
    return counts(number -> number < wave);
  }

  /// Of the waves after `wave`, together.
  public WaveCounts afterWave(int wave) {
    return counts(number -> number > wave);
  }

  public WaveCounts all() {
    return counts(_ -> true);
  }

  /// So many are going back, or are to.
  public int unfinishedReverts() {
    return sum(group -> group.state() == TargetState.REVERT_PENDING) + reverting();
  }

  /// So many are going back.
  public int reverting() {
    return sum(group -> group.state() == TargetState.REVERTING);
  }

  /// So many are there in all.
  public int deviceCount() {
    return sum(_ -> true);
  }

  /// A device that is reverted, or was, counts as ended, with the result that it has now.
  private WaveCounts counts(IntPredicate wave) {
    Map<TargetResult, Integer> ended = new EnumMap<>(TargetResult.class);
    groups.stream()
        .filter(group -> wave.test(group.wave()))
        .forEach(group -> group.result().ifPresent(result -> ended.merge(result, group.devices(), Integer::sum)));
    Predicate<Group> waits =
        group -> wave.test(group.wave()) && (group.state() == TargetState.PENDING || isPrepared(group));
    var counts =
        new WaveCounts(
            sum(group -> wave.test(group.wave()) && group.state() == TargetState.PENDING),
            sum(group -> wave.test(group.wave()) && isInWork(group) && !group.prepareAhead()),
            sum(group -> wave.test(group.wave()) && isInWork(group) && group.prepareAhead()),
            sum(group -> wave.test(group.wave()) && group.state() == TargetState.SKIPPED),
            ended);
    return counts.withOffline(
        groups.stream().filter(waits).mapToInt(Group::offline).sum(),
        groups.stream().filter(waits).flatMap(group -> group.lastOfflineAt().stream()).max(Comparator.naturalOrder()));
  }

  private static boolean isPrepared(Group group) {
    return group.state() == TargetState.STARTED && group.prepareAhead();
  }

  private static boolean isInWork(Group group) {
    return switch (group.state()) {
      case STARTING, STARTED, PROCEEDING -> true;
      case PENDING, ENDED, SKIPPED, REVERT_PENDING, REVERTING, REVERTED -> false;
    };
  }

  private int sum(Predicate<Group> which) {
    return groups.stream().filter(which).mapToInt(Group::devices).sum();
  }
}
