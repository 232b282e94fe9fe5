package dev.uplift.fleet.rollout;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How many failures a rollout bears. They are counted from the begin of the current wave, or from
/// the last resume if that was later, of whatever wave they are.
///
/// @param successPercent of the devices that succeeded or failed, so many have to have succeeded
///   when a wave is done
/// @param failures at this many it stops
/// @param failurePercent at this share of the devices that succeeded or failed it stops
/// @param sample of how many a share is taken at least
/// @param inARow at this many failures with no success between them it stops
/// @param byOutcome at this many of one outcome it stops; also for those that are no failures
public record Thresholds(
    int successPercent,
    Optional<Integer> failures,
    Optional<Integer> failurePercent,
    int sample,
    Optional<Integer> inARow,
    Map<Verdict, Integer> byOutcome,
    Reaction action) {

  /// For who says nothing: it stops at the first signs of trouble.
  public static final Thresholds USUAL =
      new Thresholds(
          95,
          Optional.of(2),
          Optional.of(5),
          10,
          Optional.empty(),
          Map.of(Verdict.STRANDED, 1),
          Reaction.PAUSE);

  public Thresholds {
    Map<Verdict, Integer> ordered = new EnumMap<>(Verdict.class);
    ordered.putAll(byOutcome);
    byOutcome = Collections.unmodifiableMap(ordered);
  }

  /// What is wrong with them, for a change of the rules of a rollout that runs.
  ///
  /// @param field of the API that they stand in
  public List<Fault> faults(String field) {
    Faults faults = Faults.none();
    check(faults.in(field));
    return faults.all();
  }

  void check(Faults faults) {
    faults.within(0, 100, "success_percent", successPercent);
    failures.ifPresent(most -> faults.atLeast(1, "failures", most));
    failurePercent.ifPresent(most -> faults.within(1, 100, "failure_percent", most));
    faults.atLeast(1, "sample", sample);
    inARow.ifPresent(most -> faults.within(1, Judged.LAST, "in_a_row", most));
    Faults inside = faults.in("by_outcome");
    byOutcome.forEach((verdict, most) -> {
      inside.expect(
          !verdict.isSuccess(),
          verdict.toString(),
          "is no outcome to stop at; expected one that is not a success");
      inside.atLeast(1, verdict.toString(), most);
    });
  }
}
