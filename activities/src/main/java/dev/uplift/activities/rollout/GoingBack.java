package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.NextStarts;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.store.NewDecision;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetCounts;
import dev.uplift.store.TargetEnding;
import dev.uplift.store.TargetRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Takes the devices of a wave back while the steering says so, no more at once than may start. For
/// one tick; every method is called under the lock of the rollout.
final class GoingBack {
  /// What has come of devices that go back with their wave.
  static final Set<Verdict> WHO =
      Arrays.stream(Verdict.values())
          .filter(Verdict::mayRunRelease)
          .collect(Collectors.toUnmodifiableSet());

  /// While all of them wait for something, who may go is not asked at every pass.
  private static final Duration RARELY = Duration.ofSeconds(5);

  private static final Comparator<TargetRow> UNHEALTHY_FIRST =
      Comparator.comparing(row -> !row.verdict().equals(Optional.of(Verdict.UNHEALTHY)));

  private final RolloutTables tables;
  private final RolloutId id;
  private final Silence silence;

  /// Ids of upgrades that this tick has started, or found out about.
  private final Set<String> seenTo = new HashSet<>();

  private Instant lookAt = Instant.MIN;
  private Optional<Wait> why = Optional.empty();

  GoingBack(RolloutTables tables, RolloutId id, Silence silence) {
    this.tables = tables;
    this.id = id;
    this.silence = silence;
  }

  /// Who is to be taken back now.
  ///
  /// @param toStart to be started, some of them perhaps once more, under the same id
  /// @param uncertain of whom nobody knows whether it was started, while nothing may be
  /// @param why none of those that wait may go, where that is so
  record Back(List<TargetRow> toStart, List<TargetRow> uncertain, Optional<Wait> why) {
    static final Back NOTHING = new Back(List.of(), List.of(), Optional.empty());
  }

  /// Writes down what came of those that have gone back, each once.
  void collect() {
    for (TargetEnding ended : tables.queue().revertEndings(id)) {
      TargetRow target = ended.target();
      Verdict before = target.verdict().orElse(Verdict.UPGRADED);
      tables
          .reverts()
          .end(id, target.device(), ended.end().outcome(), before.after(ended.end().outcome()));
    }
  }

  /// Who of the wave has ended meanwhile goes back too. Where all are back, that is over; where
  /// somebody has stopped the rollout, those that wait stay as they are.
  void follow(RolloutRow row) {
    Steering steering = RolloutTexts.steering(row.steering());
    if (steering.stoppedBy().isPresent()) {
      tables.reverts().giveUp(id);
    } else {
      steering.rollsBack().ifPresent(wave -> follow(row, steering, wave));
    }
  }

  private void follow(RolloutRow row, Steering steering, int wave) {
    tables.reverts().mark(id, wave, WHO);
    TargetCounts counts = tables.counts().counts(id);
    if (counts.toGoBack() + counts.all().inWork() == 0) {
      tables.rollouts().steer(id, RolloutTexts.write(steering.rolledBack()));
      tables
          .decisions()
          .append(
              id,
              new NewDecision(
                  row.currentWave(),
                  "rolled-back",
                  "",
                  result(counts, wave),
                  "",
                  Deciding.UPLIFT,
                  Optional.empty()));
    }
  }

  private static String result(TargetCounts counts, int wave) {
    int back = in(counts, wave, verdict -> verdict == Verdict.ROLLED_BACK);
    int all = in(counts, wave, _ -> true);
    return "wave %d went back: %d of %d devices run the version from before"
        .formatted(wave, back, all);
  }

  private static int in(TargetCounts counts, int wave, Predicate<Verdict> which) {
    return counts.parts().stream()
        .filter(part -> part.wave() == wave && part.state() == TargetState.REVERTED)
        .filter(part -> part.verdict().filter(which).isPresent())
        .mapToInt(TargetCounts.Part::devices)
        .sum();
  }

  /// Marks those that go back now. They are to be started outside of the lock.
  Back begin(RolloutRow row, RolloutPlan plan, Instant now) {
    Steering steering = RolloutTexts.steering(row.steering());
    boolean goes = steering.rollsBack().isPresent();
    boolean stopped = steering.stoppedBy().isPresent();
    if (!goes && !stopped) {
      return Back.NOTHING;
    }
    List<TargetRow> unseen =
        tables.queue().revertsToStart(id).stream().filter(this::isUnseen).toList();
    List<TargetRow> next = stopped ? List.of() : next(row, plan, now);
    List<TargetRow> all = Stream.concat(unseen.stream(), next.stream()).toList();
    all.forEach(target -> target.revertUpgrade().ifPresent(seenTo::add));
    return stopped ? new Back(List.of(), all, Optional.empty()) : new Back(all, List.of(), why);
  }

  private boolean isUnseen(TargetRow target) {
    return target.revertUpgrade().filter(seenTo::contains).isEmpty();
  }

  private List<TargetRow> next(RolloutRow row, RolloutPlan plan, Instant now) {
    List<TargetRow> waiting =
        tables.queue().in(id, TargetState.TO_REVERT).stream().sorted(UNHEALTHY_FIRST).toList();
    TargetCounts counts = tables.counts().counts(id);
    int slots = plan.limits().maxParallel() - counts.all().inWork() - counts.reverting();
    if (waiting.isEmpty() || slots <= 0) {
      why = Optional.empty();
      return List.of();
    }
    if (now.isBefore(lookAt) && why.isPresent()) {
      return List.of();
    }
    lookAt = now.plus(RARELY);
    Duration soak = Deciding.spec(tables, id, plan, Math.max(row.currentWave(), 1)).soak();
    NextStarts next = new Choosing(tables, row, plan, silence, now).back(waiting, slots, soak);
    why = next.isEmpty() ? Optional.of(next.waiting()) : Optional.empty();
    return tables.reverts().begin(id, next.start());
  }
}
